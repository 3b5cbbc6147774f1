/** A machine whose iptables are lists in memory. */
import type { CommandRunner } from '../../runtime/nmi/redirection/command.ts';

/** A machine in memory: tables as lists of lines, one `iptables-restore` a step. */
export class FakeMachine {
  readonly tables = new Map<string, string[]>();
  readonly scripts: string[] = [];
  readonly calls: string[] = [];
  addresses = 'lo inet 127.0.0.1/8 scope host lo';
  rpfilter = true;
  missing: string[] = [];
  saved: Record<string, string> = {};

  readonly run: CommandRunner = async (program, args, input = '') => {
    this.calls.push([program, ...args].join(' '));
    const ok = (stdout = '') => ({ code: 0, stdout, stderr: '' });
    if (this.missing.some((name) => program.startsWith(name)))
      return { code: 127, stdout: '', stderr: 'not installed' };
    if (program.endsWith('-save')) return ok(this.saved[program] ?? '');
    if (program.endsWith('-restore')) {
      if (!this.rpfilter && input.includes('rpfilter')) return { code: 2, stdout: '', stderr: 'no rpfilter' };
      if (!input.includes('PROBE')) this.scripts.push(input);
      this.#restore(program.startsWith('ip6') ? '6' : '4', input);
      return ok();
    }
    if (/^ip6?tables/.test(program))
      return ok(this.table(program.startsWith('ip6') ? '6' : '4', args[3] ?? '').join('\n'));
    if (program === 'ip' && args.includes('replace')) {
      this.addresses += `\nlo inet ${args[2]} scope host lo`;
      return ok();
    }
    if (program === 'ip' && args.includes('del')) this.addresses = this.addresses.replace(` ${args[2]} `, ' ');
    return ok(this.addresses);
  };

  table(family: string, name: string): string[] {
    const key = `${family} ${name}`;
    const lines = this.tables.get(key) ?? [];
    this.tables.set(key, lines);
    return lines;
  }

  #restore(family: string, input: string): void {
    let lines: string[] = [];
    for (const line of input.split('\n')) {
      const remove = (test: (each: string) => boolean) => {
        for (let i = lines.length - 1; i >= 0; i--) if (test(lines[i] ?? '')) lines.splice(i, 1);
      };
      const [verb, chain = '', ...rest] = line.split(' ');
      if (line.startsWith('*')) lines = this.table(family, line.slice(1));
      else if (line.startsWith(':')) {
        const name = line.slice(1).split(' ')[0] ?? '';
        remove((each) => each.startsWith(`-A ${name} `));
        if (!lines.includes(`-N ${name}`)) lines.unshift(`-N ${name}`);
      } else if (verb === '-A') lines.push(line);
      else if (verb === '-I')
        lines.splice(
          lines.findIndex((each) => each.startsWith('-A')),
          0,
          `-A ${chain} ${rest.slice(1).join(' ')}`,
        );
      else if (verb === '-D') lines.splice(lines.indexOf(`-A ${chain} ${rest.join(' ')}`), 1);
      else if (verb === '-F') remove((each) => each.startsWith(`-A ${chain} `));
      else if (verb === '-X') remove((each) => each === `-N ${chain}`);
    }
  }
}
