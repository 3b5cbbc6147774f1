import { expect, test } from '@jest/globals';
import {
  absolutePath,
  address,
  addresses,
  bool,
  duration,
  httpUrl,
  list,
  logLevel,
  oneOf,
  readSettings,
  type Setting,
  settingRows,
  whole,
} from '../../runtime/base/settings.ts';
import { identityConfig } from '../../runtime/identity/config.ts';
import { nmiConfig } from '../../runtime/nmi/config/config.ts';
import { operatorConfig } from '../../runtime/operator/config.ts';

const setting = (more: Partial<Setting> = {}): Setting => ({
  flag: 'some-thing',
  env: 'SOME_THING',
  default: 'fallback',
  meaning: 'what it does',
  ...more,
});
const given = (value: string) => () => value;

test('the flag wins over the variable, and the variable over the default', () => {
  const one = setting({ aliases: ['old-name'] });
  const read = (argv: string[], env: Record<string, string>) => readSettings('test', { one }, argv, env).text(one);
  expect(read(['--some-thing', 'a'], { SOME_THING: 'b' })).toBe('a');
  expect(read(['--old-name=a'], { SOME_THING: 'b' })).toBe('a');
  expect(read([], { SOME_THING: ' b ' })).toBe('b');
  expect(read([], { SOME_THING: ' ' })).toBe('fallback');
});

test('flags may have one dash, and those that are true or false may stand alone', () => {
  const one = setting({ boolean: true, default: 'false' });
  for (const argv of [['-some-thing'], ['--some-thing'], ['--some-thing=true']]) {
    expect(readSettings('test', { one }, argv, {}).text(one)).toBe('true');
  }
  expect(readSettings('test', { one }, ['-h'], {}).help).toBe(true);
  expect(readSettings('test', { one }, ['--help'], {}).help).toBe(true);
});

test('short flags are read in the notation of POSIX, beside arguments that are no flags', () => {
  const settings = {
    fast: setting({ flag: 'fast', short: 'f', boolean: true, default: 'false' }),
    name: setting({ flag: 'name', short: 'n', env: 'NAME' }),
  };
  const read = (...argv: string[]) => readSettings('test', settings, argv, {}, { positionals: true });
  const long = read('one', '--fast', '--name=x', 'two', '--', '-n');
  expect(long.positionals).toEqual(['one', 'two', '-n']);
  for (const each of [long, read('-f', '-n', 'x'), read('-fnx')]) {
    expect([each.text(settings.fast), each.text(settings.name)]).toEqual(['true', 'x']);
  }
  expect(read('-fh').help).toBe(true);
  expect(() => read('--fast=true')).toThrow(/--fast/);
  expect(() => read('-name', 'x', '-q')).toThrow(/unknown flag -q; run azimuth test --help/);
  expect(() => readSettings('test', settings, ['one'], {})).toThrow(
    /unexpected argument "one"; run azimuth test --help/,
  );
});

test('a repeated flag keeps each value, in order, and one without a variable reads none', () => {
  const many = setting({ multiple: true });
  const { env: _, ...alone } = setting({ flag: 'alone' });
  const read = (argv: string[], env = {}) => readSettings('test', { many, alone }, argv, env);
  expect(read(['--some-thing=b', '--some-thing=a']).all(many)).toEqual(['b', 'a']);
  expect(read([], { SOME_THING: 'c' }).all(many)).toEqual(['c']);
  expect([read([]).all(many), read([], { undefined: 'x' }).text(alone)]).toEqual([[], 'fallback']);
  expect(() => whole(alone, given('x'), 1)).toThrow(/--alone(?! \()/);
});

test('a setting reads variables that other programs know it by, after its own', () => {
  const imds = setting({ envAliases: ['OTHER_THING', 'THIRD_THING'] });
  const read = (env: Record<string, string>) => readSettings('test', { imds }, [], env).text(imds);
  expect(read({ THIRD_THING: 'c' })).toBe('c');
  expect(read({ OTHER_THING: 'b', THIRD_THING: 'c' })).toBe('b');
  expect(read({ SOME_THING: 'a', OTHER_THING: 'b' })).toBe('a');
  expect(read({ OTHER_THING: ' ' })).toBe('fallback');
  expect(httpUrl(imds, () => 'http://127.0.0.1:1/')).toBe('http://127.0.0.1:1');
  expect(() => httpUrl(imds, () => 'here')).toThrow(/--some-thing \(SOME_THING\).*a URL/);
});

test.each([
  ['operator', operatorConfig],
  ['identity', identityConfig],
  ['nmi', nmiConfig],
] as const)('azimuth %s finds the metadata endpoint by the variable that SDKs read', (_, configOf) => {
  const env = { NODENAME: 'n', AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://127.0.0.1:7/' };
  expect(configOf([], env)).toMatchObject({ imdsEndpoint: 'http://127.0.0.1:7' });
});

test('flags of another program are accepted and named, and any other is refused', () => {
  const ignored = { meanings: { clientQps: 'no limit', profile: 'no use' }, booleans: new Set(['profile']) };
  const read = readSettings('test', { one: setting() }, ['--clientQps', '5', '-profile'], {}, { ignored });
  expect(read.ignored).toEqual(['clientQps', 'profile']);
  expect(() => readSettings('test', { one: setting() }, ['--other', '5'], {})).toThrow(
    /unknown flag --other; run azimuth test --help/,
  );
});

test.each([
  ['a number below the least', () => whole(setting(), given('2'), 3, 5), /--some-thing \(SOME_THING\).*from 3 to 5/],
  ['a number that is none', () => whole(setting(), given('1e3'), 0), /a whole number of at least 0/],
  ['no truth', () => bool(setting(), given('maybe')), /true or false/],
  ['a duration without unit', () => duration(setting(), given('90')), /such as 90s/],
  ['no duration at all', () => duration(setting(), given('0s')), /such as 90s/],
  ['another word', () => oneOf(setting(), given('c'), ['a', 'b']), /one of a, b/],
  ['a level nobody has', () => logLevel(setting(), given('loud')), /debug, info/],
  ['a name for an address', () => address(setting(), given('localhost')), /an IP address/],
  ['a path that is not absolute', () => absolutePath(setting(), given('run/x')), /an absolute path/],
  ['one wrong address of several', () => addresses(setting(), given('10.0.0.1,x')), /an IP address.*x/],
] as const)('%s is refused with flag, variable and what is wanted', (_, read, message) => {
  expect(read).toThrow(message);
});

test('values are read as what they mean', () => {
  expect(whole(setting(), given('5'), 0)).toBe(5);
  expect([bool(setting(), given('T')), bool(setting(), given('0'))]).toEqual([true, false]);
  expect(duration(setting(), given('1h30m'))).toBe(5_400_000);
  expect(list(setting(), given('a, b c'))).toEqual(['a', 'b', 'c']);
  expect(addresses(setting(), given('10.0.0.1,fd00::1'))).toEqual(['10.0.0.1', 'fd00::1']);
});

test('help has a row for each setting with its variable and default', () => {
  expect(settingRows({ one: setting(), two: setting({ flag: 'b', default: '' }) })).toEqual([
    '  --some-thing   what it does [SOME_THING, default fallback]',
    '  --b            what it does [SOME_THING]',
  ]);
  const { env: _, ...plain } = setting({ flag: 'b' });
  expect(
    settingRows({ one: { ...plain, short: 'b', value: 'TEXT' }, two: { ...plain, flag: 'c', default: '' } }),
  ).toEqual(['  -b, --b TEXT   what it does [default fallback]', '      --c        what it does']);
});
