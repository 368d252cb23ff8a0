import './style.css'

interface Task {
  id: number
  title: string
}

const list = document.querySelector('#tasks')!
const message = document.querySelector('#message')!
const form = document.querySelector('form')!

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void add(new FormData(form).get('title') as string)
})
await show()

async function show(): Promise<void> {
  const tasks = (await (await fetch('/tasks')).json()) as Task[]
  list.replaceChildren(
    ...tasks.map(({ title }) => {
      const row = document.createElement('li')
      const strong = document.createElement('strong')
      strong.textContent = title
      row.append(strong)
      return row
    }),
  )
}

async function add(title: string): Promise<void> {
  const response = await fetch('/tasks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  })
  message.role = response.ok ? 'status' : 'alert'
  message.textContent = response.ok
    ? `Added: ${title}.`
    : ((await response.json()) as { message: string }).message
  if (response.ok) form.reset()
  await show()
}
