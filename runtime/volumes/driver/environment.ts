import { closeSync, openSync } from 'node:fs';

/** Variables that configure Bun, its JavaScript engine or its allocator. */
const ofTheRuntime = /^(?:BUN_|NODE_|MIMALLOC_|JSC_|DO_NOT_TRACK$|TMPDIR$)/;
/** Variables that the driver reads: settings, cloud, trust and proxies. */
const ofTheDriver = /^(?:AZIMUTH_|AZURE_|SSL_CERT_|NODE_EXTRA_CA_CERTS$|(?:HTTPS?|NO)_PROXY$)/i;

/**
 * Replaces the process by execve(2) with only the variables that the driver reads, where the environment configures
 * the runtime. Does nothing on nearly every node, because there are no such variables.
 */
export function startWithCleanEnvironment(
  argv: readonly string[],
  {
    env,
    execPath,
    execve,
  }: Pick<NodeJS.Process, 'env' | 'execPath'> & { execve?: typeof process.execve | undefined } = process,
): void {
  const all = Object.entries(env);
  if (!all.some(([name]) => ofTheRuntime.test(name) && !ofTheDriver.test(name))) return;
  const driverVariables = all.filter(([name]) => ofTheDriver.test(name));
  execve?.(execPath, [execPath, ...argv], Object.fromEntries(driverVariables));
}

/**
 * Changes to `/` and points standard error to /dev/null, because kubelet reads both output streams as one document.
 */
export function leaveCaller(): void {
  process.chdir('/');
  try {
    closeSync(2);
  } catch {
    // kubelet closed it already.
  }
  while (openSync('/dev/null', 'r+') < 2);
}
