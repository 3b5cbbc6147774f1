/** Functions of the template language by the results of the real engine, where they are published. */
import { expect, test } from '@jest/globals';
import { functionSubjects } from '../../../runtime/compute/templates/functions/function-table.ts';
import { templateHash } from '../../../runtime/compute/templates/functions/text/hashes.ts';
import { TemplateError } from '../../../runtime/compute/templates/problems.ts';
import { evaluate } from './support.ts';

const guidGroup = '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups';
const zeros = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups';

test.each([
  ["'snap','crackle','pop'", 'byghxckddilkc'],
  [`'${zeros}/myRg'`, 'js26ofeqkqeve'],
  [`'${zeros}/my-rg'`, 'bmg7c6xu4tw46'],
  ["'test'", 'rbgf3xv4ufgzg'],
  ["'hello','world'", 'a7wkljktk6wne'],
  ["'abc'", 'cgtzqvhu4i23s'],
  ["'foo','bar','baz'", 'xzi4ioaxtmth4'],
  ["'tyeth'", 'zcztcwvu6iyg6'],
  ["''", 'aaaaaaaaaaaaa'],
  ["'a'", 'eveiun73364hy'],
  ["'abcd'", '2vkzoblxv4fya'],
  ["'abcde'", '5a3qs7ylzrs64'],
  ["'abcdefgh'", 'q7ncvd5x2rx4e'],
  ["'abcdefghi'", 'zignisl6otg3u'],
  ["'abcdefghijkl'", 'h2323qhpep2mk'],
  ["'abcdefghijklm'", 'drrqz7xt5wi54'],
  ["'é'", '5i6hbiqzwuby6'],
  [`'${guidGroup}/rg1'`, 'mgy6tx5wjwlzu'],
  [`'${guidGroup}/RG1'`, 'vcllu6zehu6qa'],
  [`'${guidGroup}/rg1','vm'`, 'jgtyc4ytztsec'],
])('uniqueString(%s) is %s', (args, expected) => {
  expect(evaluate(`[uniqueString(${args})]`)).toBe(expected);
});

test('the hash of hello-world is the published number', () => {
  expect(templateHash('hello-world')).toBe(571013382255652050n);
});

const object = "createObject('a','b','!c',2)";
test.each<[string, unknown]>([
  // Strings.
  ["guid('foo','bar','baz')", '2ed86837-7c7c-5eaa-9864-dd077fd19b0d'],
  ["guid('a')", '3703365d-5a9f-59b4-bca7-b9681389e4c1'],
  ["format('{0}/{1}/{2}/{3}',1,2,3,true())", '1/2/3/True'],
  [
    `format('>{0}<>{1}<>{2}<>{3}<>{4}<',false(),12948,'hello!',${object},createArray(true(),2893,'abc'))`,
    ">False<>12948<>hello!<>{'a':'b','!c':2}<>[true,2893,'abc']<",
  ],
  ["format('{{{0,4}}}{1,-3}|{2:D3}{2:x4}', 'a', 'b', 26)", '{   a}b  |026001a'],
  ["base64(' Fizz ')", 'IEZpenog'],
  ["base64ToString('IEZpenog')", ' Fizz '],
  ['base64ToJson(base64(\'{"a":[1]}\')).a[0]', 1],
  ["dataUri(' Fizz ')", 'data:text/plain;charset=utf-8;base64,IEZpenog'],
  ["dataUriToString(dataUri('é'))", 'é'],
  ["uriComponent(' Fizz ')", '%20Fizz%20'],
  ["uriComponent('it''s (a) *!')", 'it%27s%20%28a%29%20%2A%21'],
  ["uriComponentToString('%20Fizz%20')", ' Fizz '],
  ["uri('https://github.com/another/repo','/Azure/bicep')", 'https://github.com/Azure/bicep'],
  ["uri('https://x.example/a/b','c.json')", 'https://x.example/a/c.json'],
  ["uri('https://x.example/a/b/','c.json')", 'https://x.example/a/b/c.json'],
  ["padLeft('00',5,' ')", '   00'],
  ["padLeft(7,3,'0')", '007'],
  ["substring('foot',0,3)", 'foo'],
  ["substring('foot',2)", 'ot'],
  ["join(createArray('abc',123,true()),'/')", 'abc/123/True'],
  ["replace('a-b-c','-','')", 'abc'],
  ["split('a,b;c',createArray(',',';'))", ['a', 'b', 'c']],
  ["split('a,b',',')", ['a', 'b']],
  ["string(createArray(1,'a'))", '[1,"a"]'],
  ['string(true())', 'True'],
  ["toLower('ABC')", 'abc'],
  ["toUpper('abc')", 'ABC'],
  ["trim(' a ')", 'a'],
  ["startsWith('ABC','ab')", true],
  ["endsWith('ABC','bc')", true],
  ["CONCAT('a',1,true())", 'a1True'],
  ["concat('it''s')", "it's"],
  ["json('null')", null],
  ["json('true')", true],
  ['json(\'{"a":{"b":2}}\').A.B', 2],
  // Arrays and objects.
  ['concat(createArray(1),createArray(2))', [1, 2]],
  ["contains('Abc','a')", false],
  ["contains('Abc','A')", true],
  [`contains(${object},'A')`, true],
  ["contains(createArray('A'),'a')", false],
  ["indexOf('FOOBAR','foo')", 0],
  ["lastIndexOf('abcAB','ab')", 3],
  ["indexOf('abc','z')", -1],
  ["indexOf(createArray('a','b'),'b')", 1],
  ["take('abc',9)", 'abc'],
  ["take('abc',-1)", ''],
  ["skip('abc',1)", 'bc'],
  ['skip(createArray(1,2,3),2)', [3]],
  ['first(createArray())', null],
  ['last(createArray())', null],
  ["first('abc')", 'a'],
  ["last('abc')", 'c'],
  ["length('abc')", 3],
  [`length(${object})`, 2],
  ["empty('')", true],
  ['empty(createArray())', true],
  ['empty(null())', true],
  ['empty(createObject())', true],
  [`empty(${object})`, false],
  ["array('a')", ['a']],
  ['array(createArray(1))', [1]],
  ['union(createArray(1,2),createArray(2,3))', [1, 2, 3]],
  [
    "union(createObject('a',1,'b',createObject('c',1)),createObject('b',createObject('d',2)))",
    { a: 1, b: { c: 1, d: 2 } },
  ],
  ['intersection(createArray(1,2),createArray(2,3))', [2]],
  ["intersection(createObject('a',1,'b',2),createObject('b',2))", { b: 2 }],
  ["items(createObject('b',1,'a',2))[0].key", 'a'],
  // Numbers.
  ['div(6,11)', 0],
  ['div(-7,2)', -3],
  ['mod(20,7)', 6],
  ['add(1,2)', 3],
  ['sub(1,2)', -1],
  ['mul(3,-4)', -12],
  ["int('42')", 42],
  ["float('1.5')", 1.5],
  ['max(1,5,3)', 5],
  ['min(createArray(4,2))', 2],
  ['range(2,3)', [2, 3, 4]],
  ['copyIndex()', 3],
  ['copyIndex(1)', 4],
  ["copyIndex('L',2)", 5],
  // Logic.
  ["equals('a','A')", false],
  ["equals(createObject('a',1,'b',2),createObject('b',2,'a',1))", true],
  ["equals('1',1)", false],
  ['if(true(),1,div(1,0))', 1],
  ["if(false(),reference('a').b,2)", 2],
  ['and(false(),equals(div(1,0),1))', false],
  ['or(true(),equals(div(1,0),1))', true],
  ['not(and(true(),true(),false()))', true],
  ["bool('TRUE')", true],
  ['bool(0)', false],
  ["greater('b','a')", true],
  ["greater('A','a')", true],
  ["less('B','a')", false],
  ["lessOrEquals('A','a')", false],
  ["greaterOrEquals('a','a')", true],
  ['greaterOrEquals(2,2)', true],
  ['less(1,2)', true],
  ['lessOrEquals(3,2)', false],
  ["coalesce(null(),'a')", 'a'],
  // Resources and deployment.
  [
    "resourceId('Microsoft.Network/virtualNetworks/subnets','v','s')",
    `${zeros}/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/s`,
  ],
  ["resourceId('other','X.Y/a','n')", `${zeros}/other/providers/X.Y/a/n`],
  ["resourceId('sub','other','X.Y/a','n')", '/subscriptions/sub/resourceGroups/other/providers/X.Y/a/n'],
  ["resourceId('X.Y/a/b','n/m')", `${zeros}/rg/providers/X.Y/a/n/b/m`],
  [
    "subscriptionResourceId('Microsoft.Authorization/roleDefinitions','r')",
    '/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Authorization/roleDefinitions/r',
  ],
  ["tenantResourceId('X.Y/a','n')", '/providers/X.Y/a/n'],
  ["extensionResourceId('/subscriptions/s','X.Y/a','n')", '/subscriptions/s/providers/X.Y/a/n'],
  ['resourceGroup().LOCATION', 'westeurope'],
  ["concat(subscription().id, '/', resourceGroup().name)", '/subscriptions/00000000-0000-0000-0000-000000000000/rg'],
  ['deployment().name', 'd'],
  ['environment().name', 'AzureCloud'],
  ['tenant().tenantId', 't'],
  ["variables('v')", 'variable v'],
])('%s', (expression, expected) => {
  expect(evaluate(`[${expression}]`)).toEqual(expected);
});

test.each([
  ["substring('abc',1,3)", 'not inside a string of 3'],
  ['div(1,0)', 'the divisor, is 0'],
  ['add(9007199254740991,1)', '53 bits'],
  ["resourceId('Microsoft.Network/virtualNetworks/subnets','v')", 'needs 2 names, and has 1'],
  ["int('x')", 'no integer'],
  ['toLower(1)', "'toLower' takes a string as argument 1, and got a value of type int"],
  ["concat('a')['b']", 'a value that has none'],
  ['createArray(1)[1]', 'item 1 of an array of 1 items'],
  ["createObject('ab',1).c", "property 'c' doesn't exist, available properties are 'ab'"],
  ['noSuchFunction()', "'noSuchFunction' is not supported"],
  ["contoso.x('a')", "'contoso.x' is not valid"],
  ['toLower()', 'takes 1 arguments, and got 0'],
  ['newGuid()', "'NEWGUID' is not expected at this location"],
  ["json('{')", 'JSON is not valid'],
  ["format('{1}','a')", 'has no value'],
  ["copyIndex('m')", "no loop 'm'"],
  ["greater(1,'a')", 'two ints or two strings'],
  ["uri('x','y')", 'no absolute URI'],
])('%s is an error', (expression, message) => {
  expect(() => evaluate(`[${expression}]`)).toThrow(TemplateError);
  expect(() => evaluate(`[${expression}]`)).toThrow(message);
});

test('the time and new GUIDs are those of the caller, in defaults of parameters alone', () => {
  const inDefault = (expression: string) => evaluate(expression, {}, 'default of a parameter');
  expect(inDefault('[utcNow()]')).toBe('20240102T030405Z');
  expect(inDefault("[utcNow('yyyy-MM-dd HH:mm:ss')]")).toBe('2024-01-02 03:04:05');
  expect(inDefault('[newGuid()]')).toBe('11111111-1111-1111-1111-111111111111');
  expect(() => inDefault("[reference('a')]")).toThrow('not expected at this location');
  expect(() => inDefault("[variables('a')]")).toThrow('not expected at this location');
  expect(() => inDefault("[reference('a')]")).toThrow('it may stand in the body of a resource, or an output');
  expect(() => inDefault("[utcNow('q')]")).toThrow("the format 'q' does not exist");
});

test('each name is one function', () => {
  const names = Object.values(functionSubjects).flatMap((table) =>
    Object.keys(table).map((name) => name.toLowerCase()),
  );
  expect(new Set(names).size).toBe(names.length);
});
