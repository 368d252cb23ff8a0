const commands = [
  `curl -d '{"operationName":"FailingQuery"}' ${location.origin}/graphql`,
  `curl '${location.origin}/items?page=3'`,
]

export function TerminalCommands() {
  return (
    <footer className="terminal" aria-labelledby="terminal-heading">
      <h2 id="terminal-heading">Try it in a terminal</h2>
      <ul className="code">
        {commands.map((command) => (
          <li key={command}>
            <code>{command}</code>
          </li>
        ))}
      </ul>
    </footer>
  )
}
