import { expect, test } from '@jest/globals';
import { fitsShare } from '../../../runtime/base/fairness/fits-share.ts';

/** Takes as much as fits for each namespace in turn; returns what each has. */
function taken(most: number, namespaces: number): number[] {
  const used: number[] = [];
  for (let turn = 0; turn < namespaces; turn++) {
    const others = used.reduce((sum, each) => sum + each, 0);
    let own = 0;
    while (fitsShare(1, { own, all: others + own, most })) own++;
    used.push(own);
  }
  return used;
}

test('a namespace alone has a half, and each further one still finds room', () => {
  expect(taken(256, 6)).toEqual([128, 64, 32, 16, 8, 4]);
});

test('what does not fit is refused as a whole, and zero bytes fit while there is room', () => {
  expect(fitsShare(50, { own: 0, all: 0, most: 100 })).toBe(true);
  expect(fitsShare(51, { own: 0, all: 0, most: 100 })).toBe(false);
  expect(fitsShare(0, { own: 0, all: 100, most: 100 })).toBe(true);
  expect(fitsShare(1, { own: 0, all: 100, most: 100 })).toBe(false);
});

test('a namespace with a third can give up a part and take it again, whatever another one takes meanwhile', () => {
  const most = 300;
  let other = 0;
  while (fitsShare(1, { own: other, all: 100 + other, most })) other++;
  expect(fitsShare(10, { own: 90, all: 90 + other, most })).toBe(true);
});
