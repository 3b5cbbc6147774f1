/** `npm start -- --keep` as a person runs it: the page that it names is there until Ctrl-C, and nothing after that. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import { getText, Stream } from '../ui/support.ts';

/** The script `start` without npm, which ends by the signal itself, in a process group of its own, as a terminal has it. */
function start(): { readonly child: ChildProcess; readonly text: () => string } {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const [program, ...args] = (scripts['start'] ?? '').split(' ');
  expect(program).toBe('node');
  const child = spawn(process.execPath, [...args, '--keep'], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { child, text: () => output };
}

test('--keep prints the address of the page, which shows the demonstration, and Ctrl-C ends everything', async () => {
  const { child, text } = start();
  const ended = once(child, 'exit');
  try {
    const address = await new Promise<URL>((resolve, reject) => {
      const check = () => {
        const [, found] = /The page with everything: (\S+)/.exec(text()) ?? [];
        if (found !== undefined) resolve(new URL(found));
      };
      child.stdout?.on('data', check);
      child.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${text().slice(-2000)}`)));
    });
    expect(text()).toMatch(/kubectl --kubeconfig \S+ get azure,secrets,configmaps -n demo/);
    const page = await getText(address.origin);
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
    expect((await getText(`${address.origin}/api/stream`)).status).toBe(401);
    const token = new URLSearchParams(address.hash.slice(1)).get('token') ?? '';
    const stream = new Stream(`${address.origin}/api/stream`, { authorization: `Bearer ${token}` });
    await stream.complete();
    expect(stream.names()).toEqual(
      expect.arrayContaining(['demo/StorageAccount/photos', 'demo/VirtualMachineScaleSet/shop-westeurope']),
    );

    process.kill(-Number(child.pid), 'SIGINT');
    const [code, signal] = await ended;
    expect([code, signal]).toEqual([0, null]);
    expect(text()).not.toContain('The demonstration failed');
    await expect(getText(address.origin)).rejects.toThrow('ECONNREFUSED');
    // The programs were of this group. One that has ended stays in it until its parent, or init, has read its exit code.
    await eventually('all programs have ended', () => {
      try {
        return !process.kill(-Number(child.pid), 0);
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ESRCH';
      }
    });
  } finally {
    try {
      process.kill(-Number(child.pid), 'SIGKILL');
    } catch {
      // They have ended.
    }
  }
}, 300_000);
