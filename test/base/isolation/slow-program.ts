/** The program of an isolated process that computes, or waits for a processor as on a busy node. */
import { setTimeout as sleep } from 'node:timers/promises';

process.on('message', ({ computeMs = 0, waitMs = 0 }: { computeMs?: number; waitMs?: number }) => {
  const { user, system } = process.cpuUsage();
  const used = () => {
    const now = process.cpuUsage();
    return (now.user - user + now.system - system) / 1000;
  };
  while (used() < computeMs);
  void sleep(waitMs).then(() => process.send?.('done'));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
