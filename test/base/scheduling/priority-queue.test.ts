import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PriorityQueue } from '../../../runtime/base/scheduling/priority-queue.ts';

test('items come out in order, however additions and removals alternate', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer(), { freq: 3 })), (steps) => {
      const queue = new PriorityQueue<number>((a, b) => a < b);
      const sorted: number[] = [];
      for (const step of steps) {
        if (step === null) {
          expect(queue.peek()).toBe(sorted[0]);
          expect(queue.pop()).toBe(sorted.shift());
        } else {
          queue.push(step);
          sorted.push(step);
          sorted.sort((a, b) => a - b);
        }
        expect(queue.size).toBe(sorted.length);
      }
    }),
  );
});
