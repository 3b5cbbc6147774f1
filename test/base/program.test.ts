import { expect, test } from '@jest/globals';
import {
  defineProgram,
  kubeconfigFlag,
  loggable,
  optional,
  secondsFrom,
  wholeFrom,
} from '../../runtime/base/program.ts';
import { bool, list } from '../../runtime/base/settings.ts';

const program = defineProgram({
  name: 'sample',
  description: ['Serves as a sample.'],
  flags: {
    kubeconfig: kubeconfigFlag,
    port: {
      flag: 'port',
      aliases: ['http-port'],
      env: 'PORT',
      default: '80',
      meaning: 'a port',
      parse: wholeFrom(1, 99),
    },
    waitMs: { flag: 'wait', env: 'WAIT', default: '5', meaning: 'seconds', parse: secondsFrom(0, 60) },
    names: { flag: 'names', env: 'NAMES', default: '', meaning: 'names', parse: list },
    fast: { flag: 'fast', env: 'FAST', default: 'false', boolean: true, meaning: 'be fast', parse: bool },
    address: { flag: 'address', env: 'ADDRESS', default: '', meaning: 'an address', parse: optional },
    label: { flag: 'label', env: 'LABEL', default: 'none', meaning: 'a label' },
  },
  ignored: { meanings: { v: 'not used' } },
  footer: ['That is all.'],
  complete(values, { ignored }) {
    if (values.fast && values.waitMs > 10_000) throw new Error('fast does not wait');
    return { ...values, ignored };
  },
});

test('each flag gets the value of its parser, from the flag, the variable or the default', () => {
  expect(program.read([], {})).toEqual({
    ...{ kubeconfig: undefined, port: 80, waitMs: 5000, names: [], fast: false, address: undefined, label: 'none' },
    ignored: [],
  });
  const argv = ['--http-port=8', '--fast', '-v', '3', '--kubeconfig', 'here'];
  expect(program.read(argv, { PORT: '9', NAMES: 'a, b', ADDRESS: '::1', WAIT: '7' })).toEqual({
    ...{ kubeconfig: 'here', port: 8, waitMs: 7000, names: ['a', 'b'], fast: true, address: '::1', label: 'none' },
    ignored: ['v'],
  });
});

test('the list of files in KUBECONFIG is left to the client', () => {
  expect(program.read([], { KUBECONFIG: '/a:/b' })).toMatchObject({ kubeconfig: undefined });
});

test('a bad value is refused with the names of flag and variable, and values are checked against each other', () => {
  expect(() => program.read(['--port=100'], {})).toThrow(/--port \(PORT\).*from 1 to 99/);
  expect(() => program.read(['--other'], {})).toThrow(/azimuth sample/);
  expect(() => program.read(['--fast', '--wait=30'], {})).toThrow('fast does not wait');
});

test('--help answers with a row for each flag and parses nothing', () => {
  expect(program.read(['--help', '--port=100'], {})).toEqual({ help: program.help() });
  expect(program.help().split('\n')).toEqual([
    'Usage: azimuth sample [flags]',
    '',
    'Serves as a sample.',
    '',
    'Flags, each with its environment variable:',
    expect.stringContaining('--kubeconfig'),
    '  --port         a port [PORT, default 80]',
    '  --wait         seconds [WAIT, default 5]',
    '  --names        names [NAMES]',
    '  --fast         be fast [FAST, default false]',
    '  --address      an address [ADDRESS]',
    '  --label        a label [LABEL, default none]',
    '',
    'That is all.',
  ]);
});

test('the line of the start has neither secrets nor the user and password of a URL, and an error never quotes a secret', () => {
  const secretive = defineProgram({
    name: 'secretive',
    description: [],
    flags: {
      key: { flag: 'key', env: 'KEY', default: '', meaning: 'a key', parse: optional, secret: true },
      pin: { flag: 'pin', env: 'PIN', default: '1234', meaning: 'a number', parse: wholeFrom(0), secret: true },
      endpoint: { flag: 'endpoint', env: 'ENDPOINT', default: '', meaning: 'a URL' },
    },
    complete: (values) => values,
  });
  const config = secretive.read(['--key=k1-value', '--endpoint=https://me:k2-value@host/path?a=b@c'], { PIN: '9876' });
  const line = JSON.stringify(loggable(secretive.flags, config));
  expect(JSON.parse(line)).toEqual({
    key: '[redacted]',
    pin: '[redacted]',
    endpoint: 'https://[redacted]@host/path?a=b@c',
  });
  expect(line).not.toMatch(/k1|k2|9876/);
  expect(loggable(secretive.flags, secretive.read([], {}))).toMatchObject({ key: undefined });
  expect(() => secretive.read(['--pin=k3-value'], {})).toThrow(
    '--pin (PIN) is invalid (a secret, not shown): a number',
  );
});
