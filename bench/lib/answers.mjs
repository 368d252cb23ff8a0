/** The answers that every subject gives: those of the starter templates, as plain data. */

const items = Array.from({ length: 8 }, (_, index) => ({ id: index + 1, name: `Item ${index + 1}` }))

/** @param {number} page */
export function itemsPage(page) {
  return {
    page,
    per_page: 3,
    total: 8,
    total_pages: 3,
    has_more: page < 3,
    data: items.slice((page - 1) * 3, page * 3),
  }
}

const friends = [
  { id: '1000', name: 'Luke Skywalker' },
  { id: '1002', name: 'Han Solo' },
  { id: '1003', name: 'Leia Organa' },
]

export const hero = { data: { hero: { name: 'R2-D2', heroFriends: friends } } }

/** The peers send fixed `locations`; ours are computed from the query of each request. */
export const failing = {
  errors: [
    {
      message: 'Name for character with ID 1002 could not be fetched.',
      locations: [{ line: 1, column: 51 }],
      path: ['hero', 'heroFriends', 1, 'name'],
    },
  ],
  data: {
    hero: {
      name: 'R2-D2',
      heroFriends: friends.map((friend) => (friend.id === '1002' ? { ...friend, name: null } : friend)),
    },
  },
}

/** A request without a route: in Vite a real file, elsewhere the answer of the next handler. */
export const mainScript = "document.body.textContent = 'Hello'\n"
