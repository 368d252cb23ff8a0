/** Loaded into every server: reports the CPU time of the process to its parent. */
process.on('message', (message) => {
  if (message !== 'report cpu') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicroseconds: user + system })
})
process.channel?.unref()
