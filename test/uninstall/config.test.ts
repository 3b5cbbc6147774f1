import { expect, test } from '@jest/globals';
import { uninstallConfig } from '../../runtime/uninstall/config.ts';

test('one of --keep-azure and --delete has to be chosen, since both and none are easily meant by mistake', () => {
  const refusal = /either --keep-azure or --delete/;
  expect(() => uninstallConfig([], {})).toThrow(refusal);
  expect(() => uninstallConfig(['--yes'], {})).toThrow(refusal);
  expect(() => uninstallConfig(['--keep-azure', '--delete'], {})).toThrow(refusal);
  expect(uninstallConfig(['--delete', '-y', '--stall-timeout', '60'], {})).toMatchObject({
    mode: 'delete',
    yes: true,
    stallMs: 60_000,
  });
  expect(uninstallConfig(['--keep-azure'], {})).toMatchObject({ mode: 'keep-azure', yes: false, stallMs: 1_800_000 });
});
