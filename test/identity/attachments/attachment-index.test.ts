import { expect, test } from '@jest/globals';
import { AttachmentIndex } from '../../../runtime/identity/attachments/attachment-index.ts';
import { attachmentReference } from '../../../runtime/identity/attachments/attachment-reference.ts';

const reference = (identity: string, machine = 'm') => attachmentReference(`/${machine}`, `/${identity}`);
const shown = (index: AttachmentIndex, machine = 'm') =>
  [...index.of(`/${machine}`)].map(([identity, { attach, keep }]) => [identity, [...attach], [...keep]]);

test('users of one identity are counted by what they ask for, on each machine apart', () => {
  const index = new AttachmentIndex();
  index.add(reference('a'), 'attach', 'default/one');
  index.add(reference('a'), 'keep', 'default/two');
  index.add(reference('a', 'other'), 'attach', 'default/three');
  expect(shown(index)).toEqual([['/a', ['default/one'], ['default/two']]]);
  expect(shown(index, 'other')).toEqual([['/a', ['default/three'], []]]);
  expect([...index.machines()]).toEqual(['/m', '/other']);
});

test('the last user takes identity and machine along', () => {
  const index = new AttachmentIndex();
  index.add(reference('a'), 'attach', 'default/one');
  index.add(reference('a'), 'keep', 'default/one');
  index.add(reference('b'), 'keep', 'default/one');
  index.remove(reference('a'), 'attach', 'default/one');
  expect(shown(index)).toEqual([
    ['/a', [], ['default/one']],
    ['/b', [], ['default/one']],
  ]);
  index.remove(reference('a'), 'keep', 'default/one');
  index.remove(reference('nobody'), 'keep', 'default/one');
  expect(shown(index)).toEqual([['/b', [], ['default/one']]]);
  index.remove(reference('b'), 'keep', 'default/one');
  expect([index.size, shown(index)]).toEqual([0, []]);
});
