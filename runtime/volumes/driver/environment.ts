import { closeSync, openSync } from 'node:fs';

/** Prefixes of variables that steer Bun, its JavaScript engine or its allocator. */
const ofTheRuntime = /^(?:BUN_|NODE_|MIMALLOC_|JSC_|DO_NOT_TRACK$|TMPDIR$)/;
/** Variables that the driver reads: its settings, the cloud, trust and proxies. */
const ofTheDriver = /^(?:AZIMUTH_|AZURE_|SSL_CERT_|NODE_EXTRA_CA_CERTS$|(?:HTTPS?|NO)_PROXY$)/i;

/**
 * Starts the program anew by execve(2) where its environment has variables that steer the runtime, with those that the driver
 * reads and no others. Does nothing where there are none, which is so on nearly every node.
 */
export function startWithCleanEnvironment(
  argv: readonly string[],
  { env, execPath, execve }: Pick<NodeJS.Process, 'env' | 'execPath' | 'execve'> = process,
): void {
  const all = Object.entries(env);
  if (!all.some(([name]) => ofTheRuntime.test(name) && !ofTheDriver.test(name))) return;
  const wanted = all.filter(([name]) => ofTheDriver.test(name));
  execve?.(execPath, [execPath, ...argv], Object.fromEntries(wanted));
}

/** Leaves the caller's directory, and sends standard error nowhere: kubelet reads both streams as one document. */
export function leaveCaller(): void {
  process.chdir('/');
  try {
    closeSync(2);
  } catch {
    // The caller has closed it.
  }
  while (openSync('/dev/null', 'r+') < 2);
}
