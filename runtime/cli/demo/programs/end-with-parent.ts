/**
 * Loaded into a child before its program (`--import`). The parent holds the other end of the child's standard input; the
 * kernel closes it when the parent ends, also by SIGKILL, and the child then kills itself. The variable names the
 * parent, so that a process which inherits the arguments of Node but not the input ignores the module.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.env['AZIMUTH_ENDS_WITH'] === String(process.ppid)) {
  delete process.env['AZIMUTH_ENDS_WITH'];
  process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL')).resume();
  // An input that nobody writes to must not keep a program running that has come to its end.
  (process.stdin as { unref?: () => void }).unref?.();
}
