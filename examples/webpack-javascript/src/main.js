import './style.css'

const list = document.querySelector('#rooms')
const message = document.querySelector('#message')

const response = await fetch('/rooms')
const rooms = await response.json()
list.replaceChildren(...rooms.map(createRow))

function createRow(room) {
  const row = document.createElement('li')
  const name = document.createElement('strong')
  name.textContent = room.name
  const seats = document.createElement('span')
  seats.textContent = `${room.seats} seats`
  const button = document.createElement('button')
  button.textContent = `Book ${room.name}`
  button.addEventListener('click', async () => {
    button.disabled = true
    show(await book(room))
    button.disabled = false
  })
  row.append(name, seats, button)
  return row
}

/** Books a room, and tells how that went. */
async function book({ id, name, seats }) {
  try {
    const response = await fetch(`/rooms/${id}/bookings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ seats }),
    })
    const body = await response.json()
    if (!response.ok) return { failed: true, text: body.message }
    return { failed: false, text: `${name} is yours from ${body.from} to ${body.to}.` }
  } catch {
    return { failed: true, text: 'The connection broke. Please try again.' }
  }
}

function show({ failed, text }) {
  message.role = failed ? 'alert' : 'status'
  message.textContent = text
}
