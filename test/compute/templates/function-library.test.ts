/** Functions of the language by the public reference and by .NET's documentation of formats. */
import { describe, expect, test } from '@jest/globals';
import { expandTemplate, resolveUnknowns } from '../../../runtime/compute/templates/expand-template.ts';
import { TemplateError } from '../../../runtime/compute/templates/problems.ts';
import { fromJson, secretOf, Unknown } from '../../../runtime/compute/templates/values/value.ts';
import { $schema, context, evaluate, expand, groupId } from './support.ts';

const zeros = '/subscriptions/00000000-0000-0000-0000-000000000000';
const dogs = fromJson([
  { name: 'Evie', age: 5, interests: ['Ball', 'Frisbee'] },
  { name: 'Casper', age: 3, interests: ['Other dogs'] },
  { name: 'Indy', age: 2, interests: ['Butter'] },
  { name: 'Kira', age: 8, interests: ['Rubs'] },
]);
const x = "lambdaVariables('x')";

const cases: readonly [subject: string, list: readonly (readonly [expression: string, value: unknown])[]][] = [
  [
    'number formats',
    [
      ["format('{0:N0}',1234567)", '1,234,567'],
      ["format('{0:N}',-1234)", '-1,234.00'],
      ["format('{0:X4}',255)", '00FF'],
      ["format('{0:x}',-1)", 'ffffffffffffffff'],
      ["format('{0,10:F2}|',7)", '      7.00|'],
      ["format('{0:F2}',json('2.345'))", '2.35'],
      ["format('{0:F0}',json('0.4'))", '0'],
      ["format('{0:E}',json('1052.0329112756'))", '1.052033E+003'],
      ["format('{0:e2}',json('-1052.0329'))", '-1.05e+003'],
      ["format('{0:G4}',json('123.4546'))", '123.5'],
      ["format('{0:G}',1234567890)", '1234567890'],
      ["format('{0:P1}',json('0.256'))", '25.6 %'],
      ["format('{0:C}',-3)", '(¤3.00)'],
      ["format('{0:B}',5)", '101'],
      ["format('{0:00.00}',json('1.5'))", '01.50'],
      ["format('{0:#.##}',json('0.456'))", '.46'],
      ["format('{0:0,0}',1234567890)", '1,234,567,890'],
      ["format('{0:#,#,,}',1234567890)", '1,235'],
      ["format('{0:(###) ###-####}',1234567890)", '(123) 456-7890'],
      ["format('{0:0%}',json('0.086'))", '9%'],
      ["format('{0:0.###E+0}',86000)", '8.6E+4'],
      ["format('{0:pos;neg;zero}',0)", 'zero'],
      ["format('{0:0;(0)}',-5)", '(5)'],
      ["format('{0:#}',0)", ''],
      ["format('{0:D}',9223372036854775807)", '9223372036854775807'],
      ["format('{0:000}',-5)", '-005'],
      ["format('{{{0}}}','a')", '{a}'],
      ["format('{0 , 4 :D2}|{1 }',7,'a')", '  07|a'],
      ["format('{0:yyyy}','text')", 'text'],
    ],
  ],
  [
    'dates',
    [
      ["dateTimeAdd('2020-04-07 14:53:14Z','P3Y')", '2023-04-07T14:53:14Z'],
      ["dateTimeAdd('2020-04-07 14:53:14Z','-P9D')", '2020-03-29T14:53:14Z'],
      ["dateTimeAdd('2020-04-07 14:53:14Z','PT1H')", '2020-04-07T15:53:14Z'],
      ["dateTimeAdd('2024-01-01T00:00:00+02:00','PT0S')", '2023-12-31T22:00:00Z'],
      ["dateTimeAdd('2024-01-31','P1M')", '2024-03-01T00:00:00Z'],
      ["dateTimeAdd('2024-01-01T00:00:00Z','P1DT2H3M4S','r')", 'Tue, 02 Jan 2024 02:03:04 GMT'],
      ["dateTimeAdd('2024-01-01T15:00:00Z','PT5M','dddd, dd MMMM yyyy hh:mm tt')", 'Monday, 01 January 2024 03:05 PM'],
      ["dateTimeAdd('2024-01-01T00:00:00Z','PT0S','d')", '01/01/2024'],
      ["dateTimeAdd('2024-01-05T00:00:00Z','PT0S','M d')", '1 5'],
      ["dateTimeAdd('2024-01-01T00:00:00.25Z','PT0S','o')", '2024-01-01T00:00:00.2500000Z'],
      ["dateTimeAdd('2024-01-01T00:00:00Z','PT0S','')", '01/01/2024 00:00:00'],
      ["dateTimeAdd('4/7/2020','P1D')", '2020-04-08T00:00:00Z'],
      ["dateTimeAdd('04/07/2020 14:53:14','P1D','g')", '04/08/2020 14:53'],
      ["dateTimeToEpoch('Tue, 07 Apr 2020 14:53:14 GMT')", 1_586_271_194],
      ['dateTimeFromEpoch(0)', '1970-01-01T00:00:00Z'],
      ['dateTimeFromEpoch(-1)', '1969-12-31T23:59:59Z'],
      ['dateTimeToEpoch(dateTimeFromEpoch(1700000000))', 1_700_000_000],
      ["dateTimeToEpoch(dateTimeAdd('2023-01-01T00:00:00Z','P1Y'))", 1_704_067_200],
    ],
  ],
  [
    'arrays and objects',
    [
      ['flatten(createArray(createArray(createArray(1)),createArray(2)))', [[1], 2]],
      ['flatten(createArray())', []],
      ['indexFromEnd(createArray(1,2,3),1)', 3],
      ['tryIndexFromEnd(null(),1)', null],
      ["tryIndexFromEnd(createArray(createObject('a',1)),1,'a')", 1],
      ["tryGet(null(),'a','b')", null],
      ["tryGet(createObject('a',null()),'a','b')", null],
      ["tryGet(createObject('a',createArray(createObject('b',5))),'a',0,'b')", 5],
      ['tryGet(createArray(1),3)', null],
      ["coalesce(tryGet(createObject(),'a','b'),'none')", 'none'],
      ["objectKeys(createObject('b',1,'A',2))", ['A', 'b']],
      [
        "shallowMerge(createArray(createObject('a',createObject('x',1)),createObject('a',createObject('y',2))))",
        { a: { y: 2 } },
      ],
      ["union(createObject('a',createArray(1)),createObject('a',createArray(2)))", { a: [2] }],
      ["length(items(createObject('a',1,'b',2)))", 2],
      ["union(createArray(createObject('a',1)),createArray(createObject('a',1)))", [{ a: 1 }]],
      ['json(\'{a: 1, "b": [1,2,],}\')', { a: 1, b: [1, 2] }],
      ["json('[''it\\''s'']')", ["it's"]],
      ["split('abc','')", ['abc']],
      ['json(\'{"a":1,"a":2}\')', { a: 2 }],
      ["split('a,b;;c',createArray(';',','))", ['a', 'b', '', 'c']],
      ["equals(json('9007199254740993'),json('9007199254740992'))", false],
      ["contains(createArray(json('9007199254740993')),9007199254740993)", true],
      ["distinct(createArray(2,'a',1,'A','a',2))", [2, 'a', 1, 'A']],
      [
        "distinct(createArray(createObject('a',1,'b',2),createObject('b',2,'a',1),null(),null()))",
        [{ a: 1, b: 2 }, null],
      ],
      ['distinct(createArray())', []],
    ],
  ],
  [
    'patterns',
    [
      ["like('Production','production')", true],
      ["like('prod-web-01','PROD-*')", true],
      ["like('prod-web-01','*web')", false],
      ["like('web-prod-web','*web')", true],
      ["like('prod-web-01','p*-*1')", true],
      ["like('aba','ab*ba')", false],
      ["like('abab','*ab*ab')", true],
      ["like('ab','*b*b')", false],
      ["like('','*')", true],
      ["like('a','')", false],
      ["like('a.c','a?c')", false],
    ],
  ],
  [
    'lambdas',
    [
      [`map(parameters('dogs'),lambda('x',${x}.name))`, ['Evie', 'Casper', 'Indy', 'Kira']],
      [`filter(parameters('dogs'),lambda('x','i',less(lambdaVariables('I'),1)))[0].name`, 'Evie'],
      [
        `flatten(map(parameters('dogs'),lambda('x',${x}.interests)))`,
        ['Ball', 'Frisbee', 'Other dogs', 'Butter', 'Rubs'],
      ],
      [
        `map(sort(parameters('dogs'),lambda('a','b',less(lambdaVariables('a').age,lambdaVariables('b').age))),lambda('x',${x}.name))`,
        ['Indy', 'Casper', 'Evie', 'Kira'],
      ],
      [`toObject(createArray('a','b'),lambda('x',${x}))`, { a: 'a', b: 'b' }],
      [`mapValues(createObject('a',1,'b',2),lambda('x',mul(${x},10)))`, { a: 10, b: 20 }],
      [`objectKeys(groupBy(parameters('dogs'),lambda('x',if(less(${x}.age,4),'young','old'))))`, ['old', 'young']],
      ["reduce(createArray(),'none',lambda('a','b','c'))", 'none'],
      [
        `map(createArray(1,2),lambda('x',map(createArray(10,20),lambda('y',add(${x},lambdaVariables('y'))))))`,
        [
          [11, 21],
          [12, 22],
        ],
      ],
      [`sort(createArray(2,1,2),lambda('a','b',lessOrEquals(lambdaVariables('a'),lambdaVariables('b'))))`, [1, 2, 2]],
    ],
  ],
  [
    'numbers and letters',
    [
      ['string(add(9007199254740991,2))', '9007199254740993'],
      ['sub(9007199254740993,9007199254740992)', 1],
      ['string(mul(3037000499,3037000499))', '9223372030926249001'],
      ['div(-9223372036854775807,9223372036854775807)', -1],
      ['string(mod(9223372036854775807,10))', '7'],
      ['greater(9223372036854775807,9223372036854775806)', true],
      ['string(max(createArray(1,9223372036854775807)))', '9223372036854775807'],
      ["string(createObject('n',9223372036854775807))", '{"n":9223372036854775807}'],
      ["float('-1.5e3')", -1500],
      ["toUpper('straße ı')", 'STRAßE ı'],
      ["startsWith('Äpfel','äPF')", true],
      ['max(createArray(6,4),8)', 8],
      ['min(createArray(6,4),createArray(5))', 4],
    ],
  ],
  [
    'ranges of addresses',
    [
      ["parseCidr('fdad:3236:5555:3000::/56').netmask", 'ffff:ffff:ffff:ff00::'],
      ["contains(parseCidr('fdad:3236:5555:3000::/56'),'broadcast')", false],
      ["parseCidr('10.1.2.3/16').network", '10.1.0.0'],
      ["cidrSubnet('10.144.0.0/20',24,0)", '10.144.0.0/24'],
      ["map(range(0,3),lambda('i',cidrSubnet('10.0.0.0/8',16,lambdaVariables('i'))))[2]", '10.2.0.0/16'],
      ["cidrHost('fdad:3236:5555:3000::/52',0)", 'fdad:3236:5555:3000::1'],
      ["cidrSubnet('::/0',1,1)", '8000::/1'],
    ],
  ],
  [
    'ids, URIs and facts',
    [
      [
        "resourceId('Microsoft.Network/publicIPAddresses/','p')",
        `${zeros}/resourceGroups/rg/providers/Microsoft.Network/publicIPAddresses/p`,
      ],
      [
        "managementGroupResourceId('mg','A.B/c','n')",
        '/providers/Microsoft.Management/managementGroups/mg/providers/A.B/c/n',
      ],
      ["subscriptionResourceId('A.B/c/','n')", `${zeros}/providers/A.B/c/n`],
      ["roleDefinitions('acrpull').roleDefinitionId", '7f951dda-4ed3-4680-a7ca-43fe172d538d'],
      ["pickZones('Microsoft.Compute','virtualMachines','westus2')", ['1']],
      ["pickZones('Microsoft.Compute','virtualMachines','West Europe',2,1)", ['2', '3']],
      ["pickZones('Microsoft.Compute','virtualMachines','northcentralus')", []],
      ["pickZones('Microsoft.Cdn','profiles','westus2')", []],
      ["pickZones('Microsoft.Storage','storageAccounts','westeurope')", ['1']],
      ["providers('microsoft.storage','STORAGEACCOUNTS').resourceType", 'storageAccounts'],
      ["empty(providers('Microsoft.Network').resourceTypes)", false],
      [
        "parseUri('https://example.com:8080/a?b=1')",
        { scheme: 'https', host: 'example.com', port: 8080, path: '/a', query: '?b=1' },
      ],
      ["buildUri(createObject('scheme','http','host','a.b'))", 'http://a.b/'],
      ["uri('https://x.org/a/','../b')", 'https://x.org/b'],
      ["uriComponentToString('100% of a%20b%zz %c3%a4 %ff')", '100% of a b%zz ä %ff'],
      ["dataUriToString('data:,50%25 or 50%')", '50% or 50%'],
      ["if(true(),'a',fail('no'))", 'a'],
      ["resourceId('A.B/c','')", `${zeros}/resourceGroups/rg/providers/A.B/c/`],
      ['deployer()', { tenantId: 't', userPrincipalName: '' }],
    ],
  ],
];

describe.each(cases)('%s', (_, list) => {
  test.each(list.map((each) => [...each] as [string, unknown]))('%s', (expression, expected) => {
    expect(evaluate(`[${expression}]`, { dogs })).toEqual(expected);
  });
});

test.each([
  ["format('{0:Q}',1)", "the format 'Q' does not fit 1"],
  ["format('{0:D2}',json('1.5'))", "the format 'D2' does not fit 1.5"],
  ['mul(9223372036854775807,2)', '64 bits'],
  ["dateTimeAdd('2024-02-30','P1D')", 'argument 1 is no date and time'],
  ["dateTimeAdd('2024-01-01','P1W')", 'argument 2 is no duration'],
  ["dateTimeAdd('9999-12-31T00:00:00Z','P1D')", 'between the years 1 and 9999'],
  ["dateTimeAdd('2024-01-01','PT0S','q')", "the format 'q' does not exist"],
  ["concat(createArray(1),'a')", 'an array as argument 2'],
  ['union(createObject(),null())', 'objects alone as argument 2'],
  ['length(null())', 'a string, an array or an object as argument 1'],
  ['range(2147483647,2)', 'at most 2147483647'],
  ["distinct('aa')", "'distinct' takes an array as argument 1"],
  ["like('a',1)", "'like' takes a string as argument 2"],
  ['flatten(createArray(1))', "'flatten' takes an array as argument 1"],
  ['indexFromEnd(createArray(1),2)', 'argument 2: the array has no such item'],
  ["tryGet('a','b')", 'an object or an array as argument 1'],
  ["filter(createArray(1),lambda('x',1))", 'the lambda must give a bool'],
  ["map(createArray(1),lambda('x','y','z',1))", 'argument 2: the lambda takes 1 to 2 variables, and has 3'],
  ['map(createArray(1),1)', 'argument 2 must be a lambda'],
  ["lambda('x',1)", 'can only be an argument'],
  ["map(createArray(1),lambda('x',lambdaVariables('y')))", "the variable 'y'"],
  ["parseCidr('10.0.0.0/33')", 'argument 1 is no address range'],
  ["cidrSubnet('10.0.0.0/16',8,0)", 'argument 2: the prefix must be from 16 to 32'],
  ["cidrHost('10.0.0.0/24',254)", 'argument 2: the range has no address 254'],
  ["toPhysicalZone('s','westus2','1')", 'Azure alone has its answer'],
  ["toLogicalZone('s','westus2','westus2-az1')", 'give the zones as a parameter'],
  ["roleDefinitions('Readr')", "did you mean 'Reader'?"],
  ["providers('Microsoft.Storage','none')", "the versions of 'Microsoft.Storage/none' are not known"],
  ["providers('none')", "the versions of 'none/' are not known"],
  ["tolowr('A')", "did you mean 'toLower'?"],
  ["fail('by choice')", 'by choice'],
  ['managementGroup()', 'a deployment into a resource group has none'],
])('%s is an error', (expression, message) => {
  expect(() => evaluate(`[${expression}]`)).toThrow(TemplateError);
  expect(() => evaluate(`[${expression}]`)).toThrow(message);
});

describe('lambdas keep marks', () => {
  const unknown = new Unknown('[reference(1)]', ['/a'], () => 'x');

  test('what an unknown value decides is unknown, and what passes through is not', () => {
    const list = [unknown, 'b'];
    expect(evaluate(`[filter(parameters('l'),lambda('x',equals(${x},'b')))]`, { l: list })).toBeInstanceOf(Unknown);
    expect(evaluate(`[map(parameters('l'),lambda('x',${x}))]`, { l: list })).toEqual(list);
    expect(evaluate(`[map(parameters('l'),lambda('x',${x}))]`, { l: unknown })).toBeInstanceOf(Unknown);
  });

  test('a secret array gives secrets, and no message shows its values', () => {
    const l = secretOf(['hunter2']);
    const mapped = evaluate(`[map(parameters('l'),lambda('x',concat(${x},'!')))]`, { l });
    expect(JSON.stringify(mapped)).not.toContain('hunter2');
    expect(() => evaluate(`[map(parameters('l'),lambda('x',parseCidr(${x})))]`, { l })).toThrow(
      'the reason is not shown',
    );
    expect(JSON.stringify(evaluate(`[groupBy(parameters('l'),lambda('x',${x}))]`, { l }))).toBe('"(secret)"');
  });
});

describe('in templates', () => {
  const known = { resource: { properties: { ip: '10.0.0.4' } } };

  test('a lambda whose variable waits for an answer is finished with the answer', () => {
    const { resources, problems } = expand({
      resources: [
        { type: 'X.Y/a', apiVersion: '1', name: 'a' },
        {
          type: 'X.Y/b',
          apiVersion: '1',
          name: 'b',
          properties: {
            urls: "[map(createArray(reference('a').ip, 'x'), lambda('x', concat('http://', lambdaVariables('x'))))]",
          },
        },
      ],
    });
    const b = resources[1] as (typeof resources)[number];
    expect([problems, b.waitsFor]).toEqual([[], [`${groupId}/providers/X.Y/a/a`]]);
    expect(resolveUnknowns(b, { [`${groupId}/providers/X.Y/a/a`]: known })).toEqual({
      body: { properties: { urls: ['http://10.0.0.4', 'http://x'] } },
      waitsFor: [],
    });
  });

  test('the work of groupBy grows with the items alone', () => {
    const items = `concat(${Array.from({ length: 20 }, () => 'range(0,10000)').join(',')})`;
    const value = `[length(groupBy(${items}, lambda('x', 'k')).k)]`;
    const before = process.cpuUsage();
    expect(expand({ outputs: { o: { type: 'int', value } } }).outputs).toMatchObject({ o: { value: 200_000 } });
    // It took minutes when each item copied the group.
    const { user } = process.cpuUsage(before);
    expect(user / 1e6).toBeLessThan(10);
  });

  test('functions of the template call each other', () => {
    const parameters = [{ name: 'x', type: 'string' }];
    const members = {
      low: { parameters, output: { type: 'string', value: "[toLower(parameters('x'))]" } },
      name: { parameters, output: { type: 'string', value: "[concat('vm-', own.low(parameters('x')))]" } },
    };
    const { resources, problems } = expand({
      languageVersion: '2.0',
      functions: [{ namespace: 'own', members }],
      resources: { a: { type: 'X.Y/a', apiVersion: '1', name: "[own.name('WEB')]" } },
    });
    expect([problems, resources[0]?.name]).toEqual([[], 'vm-web']);
  });

  test('integers of 64 bits are refused with their position where an object would hold them', () => {
    const big = '9223372036854775807';
    const text = (value: string) =>
      `{"$schema":"${$schema}","contentVersion":"1.0.0.0","resources":[\n{"type":"X.Y/a","apiVersion":"1","name":"a","properties":{"n":${value}}}]}`;
    for (const value of [big, `"[add(${big},0)]"`]) {
      expect(expandTemplate(text(value), context).problems).toMatchObject([
        { name: 'Evaluation', path: 'resources[0].properties.n', line: 2, message: expect.stringContaining('53 bits') },
      ]);
    }
    expect(expandTemplate(text(`"[string(${big})]"`), context).resources[0]?.body).toEqual({ properties: { n: big } });
  });

  test('the message of a parameter has an allowed value of 64 bits', () => {
    const parameters = { n: { type: 'int', allowedValues: [1, 2], maxValue: 5, defaultValue: 3 } };
    const text = JSON.stringify({ $schema, contentVersion: '1.0.0.0', parameters, resources: [] });
    const messages = expandTemplate(text.replace('[1,2]', '[9223372036854775807]'), context).problems;
    expect(messages[0]?.message).toContain('9223372036854775807');
  });
});
