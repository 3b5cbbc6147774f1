import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { readersAccess } from '../../runtime/ui/cluster/access.ts';
import { eventually } from '../fakes/eventually.ts';
import { type RunningUi, startLocalUi, startUi } from '../ui/support.ts';
import { account, group } from '../view/support.ts';
import { accounts, type Cluster, groups, startViewWorld } from '../view/world.ts';
import { startBrowser } from './support.ts';

let world: Cluster;
let readers: RunningUi;
let browser: Awaited<ReturnType<typeof startBrowser>>;
const many = 5000;

beforeAll(async () => {
  world = await startViewWorld();
  await world.put(groups, group('demo'));
  const { credential: _, ...server } = loadKubeConnection({ kubeconfig: world.kubeconfig });
  readers = await startUi(readersAccess(server));
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await readers?.close();
  await world?.close();
});

test('a reader signs in with a token that stays in memory, and sees what it may list and what not', async () => {
  const rules = [{ apiGroups: ['resources.azure.com'], resources: ['*'], verbs: ['get', 'list', 'watch'] }];
  const { token } = await world.reader('reader', rules);
  const { page } = await browser.open(`${readers.url}/`);
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByText('a token of yours for the Kubernetes API').waitFor();
  await dialog.getByLabel('Token').fill('eyJhbGciOiJub25lIn0.e30.');
  await page.keyboard.press('Enter');
  await dialog.getByText('Unauthorized').waitFor();
  await dialog.getByLabel('Token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('row').filter({ hasText: 'demo' }).waitFor();
  const summary = page.getByText(/kinds are not or not fully in the list/);
  await summary.waitFor();
  // On a small phone too, the header has less than a fifth with this line.
  await page.setViewportSize({ width: 390, height: 667 });
  expect((await page.locator('header').boundingBox())?.height).toBeLessThan(667 / 5);
  await page.setViewportSize({ width: 1200, height: 700 });
  await summary.click();
  await page.getByText('StorageAccount: you may not list it').waitFor();
  const stored = await page.evaluate<string>(
    'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href])',
  );
  expect(stored).not.toContain(token);
  await page.context().close();
});

test('5,000 resources are a list of a few elements, in which search and keyboard reach each one', async () => {
  const names = Array.from({ length: many }, (_, index) => `account-${String(index).padStart(4, '0')}`);
  const create = async () => {
    for (let name = names.pop(); name; name = names.pop()) {
      const { status: _, ...object } = account(name, 'demo');
      await world.put(accounts, object as never);
    }
  };
  await Promise.all(Array.from({ length: 10 }, create));
  const ui = await startLocalUi(world.kubeconfig);
  const { page, complaints } = await browser.open(`${ui.url}/#token=${ui.token}`);
  const status = page.getByRole('status').first();
  await status.getByText(`Live · ${many + 1} objects`).waitFor();
  expect(await page.locator('.row').count()).toBeLessThan(80);
  // The header is a row too.
  expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(many + 2));
  await page.getByRole('grid').focus();
  await page.keyboard.press('End');
  await page.getByRole('row').filter({ hasText: 'account-4999' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('account-2345');
  await eventually('one is left', async () => (await page.locator('.row').count()) === 1);
  await page.goto(`${ui.url}/?view=graph`);
  await page.getByText(/more are not drawn: filter the list/).waitFor();
  await page.getByRole('button', { name: /^StorageAccount account-0000, / }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
  await ui.close();
});
