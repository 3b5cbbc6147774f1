/** Loaded before a server that is measured: answers each message of the bench with what the process has used so far. */
export interface Usage {
  readonly cpuMicros: number;
  readonly rss: number;
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system, rss: process.memoryUsage.rss() } satisfies Usage);
});
process.channel?.unref();
