import { isRecord } from '../../../core/values/values.ts'

/* What a person asks an agent for with one command: clients offer prompts as slash commands. */

const prompts = [
  {
    name: 'why_missed',
    title: 'Why did this request fail?',
    description: 'Explains the newest request that missed, or the one you name, and proposes a fixture.',
    argument: {
      name: 'request',
      description: 'A part of its URL or body, such as /orders.',
      required: false,
    },
    textFor: (request: string) =>
      `Find out why ${request ? `the request with ${JSON.stringify(request)}` : 'the newest request that missed'} got its answer: list_requests${request && ` with search ${JSON.stringify(request)}`}, then explain_request with its id. Say the reason in one or two sentences, with file and line. Then propose one change: a different request in the application, or a fixture; show its difference (write_fixture with dryRun: true) before you write it.`,
  },
  {
    name: 'mock_endpoint',
    title: 'Mock an endpoint',
    description: 'Writes a fixture for an endpoint, with the answers that the application needs.',
    argument: { name: 'endpoint', description: 'Method and path, such as GET /orders/:id.', required: true },
    textFor: (endpoint: string) =>
      `Write a fixture for ${JSON.stringify(endpoint)}. Ask list_routes first: it may exist. Read the code of the application that asks for it, so that the body has what that code reads. Add a default route, and one that fails, in a scenario. Write them with write_fixture, and look at \`answer\` and \`diagnostics\`.`,
  },
]

export function listPrompts(): object[] {
  return prompts.map(({ name, title, description, argument }) => ({
    name,
    title,
    description,
    arguments: [argument],
  }))
}

/** `undefined` for an unknown prompt, or without an argument that it needs. */
export function getPrompt(name: string, given: unknown): object | undefined {
  const prompt = prompts.find((one) => one.name === name)
  const value = isRecord(given) && prompt ? given[prompt.argument.name] : undefined
  if (!prompt || (prompt.argument.required && typeof value !== 'string')) return undefined
  const text = prompt.textFor(typeof value === 'string' ? value.trim() : '')
  return { description: prompt.title, messages: [{ role: 'user', content: { type: 'text', text } }] }
}
