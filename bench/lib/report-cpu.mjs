/** Loaded into every server: tells the parent how much processor time the process has used. */
process.on('message', (message) => {
  if (message !== 'report cpu') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicroseconds: user + system })
})
process.channel?.unref()
