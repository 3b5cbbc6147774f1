import { expect, test } from '@jest/globals';
import { treeConfig } from '../../runtime/view/tree/config.ts';

test.each([
  'app=shop',
  'app==shop,tier!=test',
  'app',
  '!app',
  'a.b/c in (x, y),d',
  'tier notin (a),app=',
  ' app = shop ',
])('-l takes the selector "%s"', (selector) => {
  expect(treeConfig(['-l', selector], {})).toMatchObject({ selector: selector.trim() });
});

test.each(['app in shop', 'a=b=c', 'app in (a', 'app=a b', '!app=x', ',', 'app=a,,b'])(
  '-l refuses "%s"',
  (selector) => {
    expect(() => treeConfig(['-l', selector], {})).toThrow(/Expected `--selector` to be labels such as/);
  },
);
