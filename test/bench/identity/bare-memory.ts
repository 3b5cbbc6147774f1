import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { load } from '../http-load.ts';
import { tokenRequest } from '../nmi/nmi-world.ts';
import { usageOf } from '../process-usage.ts';
import type { Usage } from '../usage.ts';

const bodyBytes = 1500;
const warm = { request: tokenRequest, count: 60_000, callers: 10 };

/** What a bare node:http server with this environment uses after 60,000 requests. */
export async function bareUsage(directory: string, env: Readonly<Record<string, string>>): Promise<Usage> {
  const outfile = join(directory, 'bare.mjs');
  const entry = join(import.meta.dirname, '../nmi/nmi-bare.ts');
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  const child = spawn(process.execPath, [outfile, String(bodyBytes), '127.0.0.1'], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    await load({ port, ...warm });
    return usageOf(child.pid ?? 0);
  } finally {
    child.kill('SIGKILL');
  }
}
