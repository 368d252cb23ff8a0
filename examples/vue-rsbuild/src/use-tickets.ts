import { ref } from 'vue'

interface Ticket {
  id: number
  subject: string
  from: string
  priority: 'low' | 'normal' | 'high'
}

interface TicketPage {
  page: number
  total: number
  total_pages: number
  has_more: boolean
  data: Ticket[]
}

/** One page of tickets at a time. While the next one loads, the last one stays. */
export function useTickets() {
  const tickets = ref<TicketPage>()
  const error = ref<string>()
  const loading = ref(false)

  async function load(page: number): Promise<void> {
    loading.value = true
    error.value = undefined
    try {
      const response = await fetch(`/api/tickets?page=${page}`)
      if (!response.ok) throw new Error(`The server answered ${response.status}.`)
      tickets.value = (await response.json()) as TicketPage
    } catch (cause) {
      error.value = (cause as Error).message
    } finally {
      loading.value = false
    }
  }

  return { tickets, error, loading, load }
}
