import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { version } from '../../runtime/base/version.ts';

const azimuth = (...args: string[]) => {
  const all = ['--disable-warning=ExperimentalWarning', 'runtime/cli/azimuth.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test.each([['--version'], ['nmi', '--version'], ['identity', '-version=true', '--no-such-flag']])(
  'azimuth %s prints the version and starts nothing, as the programs that it replaces do',
  (...args) => {
    expect(azimuth(...args)).toEqual({ status: 0, stdout: `azimuth ${version}\n`, stderr: '' });
  },
);

test('a flag that nobody knows is refused by its name, and so is a program', () => {
  const flag = azimuth('nmi', '--node=n', '--log-dir=/var/log');
  expect(flag).toMatchObject({ status: 1, stdout: '' });
  expect(flag.stderr).toMatch(
    /^azimuth: AZ_CONFIG_INVALID: .*unknown flag --log-dir; did you mean --log_dir\? run azimuth nmi --help/,
  );
  expect(azimuth('mic')).toMatchObject({ status: 1, stderr: expect.stringContaining('no program `mic`') });
  expect(azimuth('tre').stderr).toMatch(/^azimuth: there is no program `tre`; did you mean tree\?/);
});

test.each([
  ['plan', '-f', 'no-such-file.yaml'],
  ['plan', '--no-such-flag'],
  ['uninstall', '--delete', '--keep-azure'],
])('azimuth %s %s with wrong input does not end with the code that means changes', (...args) => {
  expect(azimuth(...args)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^azimuth: AZ_/) });
});

test('bash completes with the script that the command prints', () => {
  const { stdout: script } = azimuth('completion', 'bash');
  const call = `azimuth() { node --disable-warning=ExperimentalWarning runtime/cli/azimuth.ts "$@"; }
COMP_WORDS=(azimuth tree storageaccount); COMP_CWORD=2; _azimuth; echo "\${COMPREPLY[0]}"`;
  const { stdout } = spawnSync('bash', ['-c', `${script}\n${call}`], { encoding: 'utf8' });
  expect(stdout.trim()).toBe('storageaccount/');
});

test.each(['zsh', 'fish', 'powershell'])('azimuth completion %s prints a script that asks for the words', (shell) => {
  expect(azimuth('completion', shell)).toMatchObject({ status: 0, stdout: expect.stringContaining('__complete') });
});

test('kubectl completes the plugin by the program beside it', () => {
  const { stdout } = spawnSync(process.execPath, ['bin/complete.js', 'tree', '--all'], { encoding: 'utf8' });
  expect(stdout.trim()).toBe('--all-namespaces');
});
