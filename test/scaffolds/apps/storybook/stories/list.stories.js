export default { title: 'List' }

export const LastPage = {
  render: () => {
    const list = document.createElement('ul')
    void fetch('/items?page=3')
      .then((response) => response.json())
      .then(({ data }) => data.forEach(({ name }) => list.append(name)))
    return list
  },
}
