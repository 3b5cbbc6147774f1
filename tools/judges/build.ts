import { spawnSync } from 'node:child_process';

/** Builds the programs; their directory, or undefined where they cannot be built, after the build said why. */
export function build(...names: readonly string[]): string | undefined {
  const built = spawnSync('tools/judges/build.sh', names, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  return built.status === 0 ? built.stdout.trim() : undefined;
}
