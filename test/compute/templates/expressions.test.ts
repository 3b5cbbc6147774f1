import { describe, expect, test } from '@jest/globals';
import { SecretValue } from '../../../runtime/base/secret-value.ts';
import { isExpression, literalText, parseExpression } from '../../../runtime/compute/templates/expressions/syntax.ts';
import { TemplateStop } from '../../../runtime/compute/templates/problems.ts';
import {
  KeyVaultReference,
  ManagedSecretReference,
  SecretExpression,
  secretOf,
  type TemplateValue,
  Unknown,
} from '../../../runtime/compute/templates/values/value.ts';
import { revealSecrets, waitsFor } from '../../../runtime/compute/templates/values/value-info.ts';
import { evaluate, groupId, run } from './support.ts';

const idOf = (name: string) => `${groupId}/providers/X/a/${name}`;

describe('syntax', () => {
  test('an expression stands in brackets; two brackets make a text of it', () => {
    expect(['[a()]', '[[a()]', 'a()', '[a', '[', ''].map(isExpression)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(['[[a]', '[[a', 'a'].map(literalText)).toEqual(['[a]', '[[a', 'a']);
  });

  test('blanks, doubled quotes, members and indexes', () => {
    expect(evaluate("[ concat ( 'a''b' ,\n 'c' ) ]")).toBe("a'bc");
    expect(evaluate("[createObject('x', createArray(1, createObject('y', 'z')))['x'][1].Y]")).toBe('z');
    expect(evaluate('[-5]')).toBe(-5);
  });

  test.each([
    ['[]', 'it ends too early'],
    ['[a]', "'a' has no ( after it"],
    ["['a]", 'a text has no end'],
    ["[concat('a'", ''],
    ["[concat('a' 'b')]", "')' is expected"],
    ["[concat('a'))]", "')' is not expected"],
    ['[a(].b]', 'is not expected'],
    ['[1.5]', 'is not expected'],
    ['[99999999999999999999]', 'more than 64 bits'],
    ['[#]', "'#' is not expected"],
    [`[${'a('.repeat(80)}]`, 'nested more than 64 deep'],
    [`['${'x'.repeat(24_576)}']`, '24576 are allowed'],
  ])('%#: %s', (source, message) => {
    if (isExpression(source)) expect(() => parseExpression(source)).toThrow(message);
    else expect(evaluate(source)).toBe(source);
  });

  test('the longest expression of members and of arguments has no deep tree', () => {
    expect(() => parseExpression(`[a()${'.b'.repeat(12_000)}]`)).not.toThrow();
    expect(() => parseExpression(`[a(${'1,'.repeat(12_000)}1)]`)).not.toThrow();
  });
});

describe('secrets', () => {
  const parameters = {
    password: secretOf('hunter2'),
    login: secretOf({ user: 'u', password: 'hunter2' }),
    plain: 'p',
  };

  test.each([
    ["[parameters('password')]", 'hunter2'],
    ["[concat('x', parameters('password'))]", 'xhunter2'],
    ["[base64(parameters('password'))]", 'aHVudGVyMg=='],
    ["[parameters('login').password]", 'hunter2'],
    ["[if(equals(parameters('password'),'hunter2'),'a','b')]", 'a'],
    ["[and(true(), equals(parameters('password'),'hunter2'))]", true],
    ["[length(parameters('password'))]", 7],
  ])('%s is a secret', (text, expected) => {
    const value = evaluate(text, parameters);
    expect(value).toBeInstanceOf(SecretValue);
    expect((value as SecretValue).reveal()).toBe(expected);
    expect(`${JSON.stringify(value)}${String(value)}`).not.toContain(String(expected));
  });

  test('a secret inside of an object marks its place alone', () => {
    const value = evaluate("[createObject('a', parameters('plain'), 'b', parameters('password'))]", parameters);
    expect(JSON.stringify(value)).toBe('{"a":"p","b":"(secret)"}');
    expect(revealSecrets(value)).toEqual({ a: 'p', b: 'hunter2' });
  });

  test.each([
    "[int(parameters('password'))]",
    "[parameters('login').hunter]",
    "[json(parameters('password'))]",
    "[if(parameters('password'),1,2)]",
    "[createObject('a',1)[parameters('password')]]",
    "[resourceId(parameters('password'),'n')]",
    "[reference(parameters('password'))]",
  ])('the error of %s does not show it', (text) => {
    const error = (() => {
      try {
        return evaluate(text, parameters);
      } catch (thrown) {
        return thrown as Error;
      }
    })();
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toMatch(/hunter2|'user|user'/);
  });

  test('a reference to a secret is passed on whole, or stands in an expression for the operator', () => {
    const secret = new ManagedSecretReference('web-tls');
    const vault = new KeyVaultReference('/subscriptions/s', 'n');
    const values: Record<string, TemplateValue> = { secret, vault };
    expect(evaluate("[parameters('secret')]", values)).toBe(secret);
    expect(evaluate("[if(true(), parameters('vault'), '')]", values)).toBe(vault);
    expect(evaluate("[createArray(parameters('secret'))]", values)).toEqual([secret]);
    for (const [name, reference] of Object.entries(values)) {
      expect(evaluate(`[concat(parameters('${name}'), 'x')]`, values)).toEqual(
        new SecretExpression('concat', [reference, 'x']),
      );
      expect(evaluate(`[empty(parameters('${name}'))]`, values)).toBe(false);
    }
    expect(evaluate("[parameters('secret').managedSecret]", values)).toEqual(
      new SecretExpression(undefined, [secret, 'managedSecret']),
    );
    expect(() => evaluate("[resourceId('a/b', parameters('secret'))]", values)).toThrow(
      "The function 'resourceId' needs more than its arguments, so it cannot take a value that the operator reads later",
    );
  });
});

describe('values known after apply', () => {
  test('an expression of one is one itself, with the resources that it waits for', () => {
    const value = evaluate("[concat('http://', reference('a').ip, ':', string(reference('b').port))]") as Unknown;
    expect(value).toBeInstanceOf(Unknown);
    expect(value.waitsFor).toEqual([idOf('a'), idOf('b')]);
    expect(value.expression).toBe("concat('http://', reference('a').ip, ':', string(reference('b').port))");
  });

  test('the answers finish it, one after the other', () => {
    const value = evaluate("[concat(reference('a').ip, ':', string(reference('b').port))]") as Unknown;
    const a = { [idOf('A')]: { resource: { properties: { ip: '10.0.0.4' } } } };
    expect(waitsFor(value.resume(run(a)))).toEqual([idOf('b')]);
    expect(value.resume(run({ ...a, [idOf('b')]: { resource: { properties: { port: 80 } } } }))).toBe('10.0.0.4:80');
  });

  test('Full gives the whole resource', () => {
    const value = evaluate("[reference('a', '2020-01-01', 'Full').location]") as Unknown;
    expect(value.resume(run({ [idOf('a')]: { resource: { location: 'l' } } }))).toBe('l');
  });

  test('list functions give secrets', () => {
    const value = evaluate("[concat('k=', listKeys('a', '2020-01-01').keys[0].value)]") as Unknown;
    expect(value.waitsFor).toEqual([idOf('a')]);
    const known = value.resume(run({ [idOf('a')]: { lists: { listkeys: { keys: [{ value: 'x' }] } } } }));
    expect(known).toBeInstanceOf(SecretValue);
    expect((known as SecretValue).reveal()).toBe('k=x');
    const settings = evaluate("[list('a', '2020-01-01').properties.x]") as Unknown;
    const listed = settings.resume(run({ [idOf('a')]: { lists: { list: { properties: { x: 'y' } } } } }));
    expect((listed as SecretValue).reveal()).toBe('y');
  });

  test('edges include the branches of an unknown condition, and not of a known one', () => {
    const edgesOf = (text: string) => {
      const inRun = run();
      evaluate(text, {}, 'output', inRun);
      return [...inRun.edges];
    };
    expect(edgesOf("[if(reference('a').b, reference('c').d, '')]")).toEqual([idOf('a'), idOf('c')]);
    expect(edgesOf("[if(true(), reference('a').b, reference('c').d)]")).toEqual([idOf('a')]);
  });
});

describe('the budget stops', () => {
  const long = (length: number) => ({ long: 'a'.repeat(length) });
  test.each<[string, string, Record<string, TemplateValue>]>([
    ['text that grows', `[${'concat('.repeat(1)}${"parameters('long'),".repeat(40)}'')]`, long(1_000_000)],
    ['replace', "[replace(parameters('long'),'a',parameters('long'))]", long(100_000)],
    ['join', "[join(range(0,10000),parameters('long'))]", long(100_000)],
    [
      'searches',
      `[createArray(${"indexOf(parameters('long'),concat(parameters('long'),'b')),".repeat(9)}0)]`,
      long(100_000),
    ],
    ['format', `[format('${'{0,9999}'.repeat(3000)}${'{0,9999}'.repeat(10)}','a')]`, {}],
    [
      'values inside each other',
      "[createArray(parameters('v'),parameters('v'),parameters('v'))]",
      { v: 'a'.repeat(2_000_000) },
    ],
  ])('%s', (_, text, parameters) => {
    const inRun = run();
    const all = () => {
      for (let index = 0; index < 40; index++) evaluate(text, parameters, 'output', inRun);
    };
    expect(all).toThrow(TemplateStop);
  });

  test.each(["[padLeft('a',1000000)]", '[range(0,100000)]', "[json(concat('[[[[', 'x'))]"])(
    '%s is an error',
    (text) => {
      expect(() => evaluate(text)).toThrow();
    },
  );
});
