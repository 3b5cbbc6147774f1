import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../fakes/eventually.ts';
import { account, group, notReady } from '../view/support.ts';
import { accounts, groups } from '../view/world.ts';
import { usePages } from './support.ts';

const long = `${'photographs-of-the-summer-'.repeat(8)}westeurope`;
const armId = '/subscriptions/s/resourceGroups/a-ready/providers/Microsoft.Storage/storageAccounts/waits';
const explanation = `The name is taken by another account. ${'Choose another name. '.repeat(20)}`;

const pages = usePages(async (world) => {
  await world.put(groups, group('a-ready'));
  await world.put(
    accounts,
    account('waits', 'a-ready', notReady('WaitingForOwner', 'Warning', 'The owner is missing')),
  );
  await world.put(accounts, account('z-broken', 'a-ready', notReady('Conflict', 'Error', explanation)));
  await world.put(groups, group(long));
  // More rows than fit, so that the list has a scrollbar.
  for (let index = 0; index < 40; index++) await world.put(groups, group(`group-${index}`));
  const { conditions } = notReady('WaitingForOwner', 'Warning');
  await world.setStatus(accounts, 'demo', 'waits', { conditions, id: armId });
}, 'https://portal.azure.us');

const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

async function open(viewport: { width: number; height: number }, search = ''): Promise<Page> {
  const page = await pages.open(search, { viewport });
  await page.getByText(/Live · (\d+ of )?44 objects/).waitFor();
  return page;
}
const names = (page: Page) => page.locator('.row .name').allTextContents();
const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true });
const sortOf = (page: Page, name: string) => header(page, name).getAttribute('aria-sort');

test('objects that need somebody come first, and headers sort by pointer and keyboard', async () => {
  const page = await open(desktop);
  expect((await names(page)).slice(0, 3)).toEqual(['z-broken', 'waits', 'a-ready']);
  expect([await sortOf(page, 'State'), await sortOf(page, 'Name')]).toEqual(['ascending', null]);
  await header(page, 'Name').getByRole('button').click();
  await eventually('names ascend', async () => (await names(page))[0] === 'a-ready');
  expect([await sortOf(page, 'State'), await sortOf(page, 'Name')]).toEqual([null, 'ascending']);
  await page.keyboard.press('Enter');
  await eventually('names descend', async () => (await names(page))[0] === 'z-broken');
  expect(await sortOf(page, 'Name')).toBe('descending');
  expect(new URL(page.url()).search).toBe('?sort=-name');
  // The key sorted and opened no object.
  expect(await page.getByRole('complementary').isVisible()).toBe(false);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await eventually('locations ascend', async () => (await sortOf(page, 'Location')) === 'ascending');
  await page.reload();
  await eventually('the address keeps the order', async () => (await sortOf(page, 'Location')) === 'ascending');
});

test('a row says how old its object is', async () => {
  const page = await open(desktop);
  expect(await page.locator('.row .age').first().textContent()).toMatch(/^\d+[smh]$/);
});

/** Left and right sides of the cells of a row with these columns, in pixels. */
const sides = (page: Page, selector: string, columns: readonly string[]) =>
  Promise.all(
    columns.map(async (name) => {
      const box = await page.locator(selector).first().locator(`> .${name}`).boundingBox();
      return [name, Math.round(box?.x ?? -1), Math.round((box?.x ?? 0) + (box?.width ?? 0))];
    }),
  );

test('headers are in line with their columns, with a scrollbar, beside a detail and on a phone', async () => {
  const page = await open(desktop);
  const all = ['state', 'namespace', 'kind', 'name', 'location', 'age', 'reason', 'portal'];
  expect(await sides(page, '.columns', all)).toEqual(await sides(page, '.row', all));
  await page.locator('.row').first().click();
  await page.getByRole('complementary').waitFor();
  const some = all.filter((name) => name !== 'location');
  expect(await sides(page, '.columns', some)).toEqual(await sides(page, '.row', some));
  const small = await open(phone);
  const left = async (selector: string) =>
    (await sides(small, selector, ['state', 'name', 'age'])).map(([name, start]) => [name, start]);
  expect(await left('.columns')).toEqual(await left('.row'));
});

test('a long name is cut in its middle, inside its column, and is whole in its title', async () => {
  for (const viewport of [desktop, phone]) {
    const page = await open(viewport, '?sort=-name&q=photographs');
    const cell = page.locator('.row .name');
    expect(await cell.textContent()).toBe(long);
    expect(await cell.getByTitle(long).count()).toBe(1);
    const [outer, tail] = [await cell.boundingBox(), await cell.locator('.tail').boundingBox()];
    if (!outer || !tail) throw new Error('the name is not shown');
    expect(tail.x + tail.width).toBeLessThanOrEqual(outer.x + outer.width + 1);
    expect(await cell.locator('.tail').textContent()).toBe('steurope');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await page.evaluate("document.querySelector('#list .scroll').scrollWidth")).toBe(
      await page.evaluate("document.querySelector('#list .scroll').clientWidth"),
    );
  }
});

test('a message is on the page once: in the row, or in the detail of the row, as a whole', async () => {
  const page = await open(desktop);
  const cell = page.locator('.row').first().locator('.reason');
  expect(await cell.textContent()).toContain(explanation.slice(0, 100));
  await page.locator('.row').first().click();
  const detail = page.getByRole('complementary');
  await detail.getByText('Ready: False').waitFor();
  expect(await cell.textContent()).toBe('Conflict');
  const text = (await page.locator('body').textContent()) ?? '';
  expect(text.split(explanation.slice(0, 60))).toHaveLength(2);
  // The row has 300 characters of it.
  expect(await detail.textContent()).toContain(explanation.trim());
  expect((await detail.textContent())?.split('Conflict')).toHaveLength(2);
});

test('a resource with an ARM id opens in the portal of its cloud, by pointer and keyboard, in another tab', async () => {
  const page = await open(desktop, '?q=waits');
  const address = `https://portal.azure.us/#resource${armId}`;
  await page.context().route('https://portal.azure.us/**', (route) => route.fulfill({ body: 'the portal' }));
  const link = page.locator('.row').getByRole('link', { name: 'Open waits in the Azure portal' });
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  const byPointer = page.context().waitForEvent('page');
  await link.click();
  expect((await byPointer).url()).toBe(address);
  expect(await page.getByRole('complementary').isVisible()).toBe(false);
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  const byKey = page.context().waitForEvent('page');
  await page.keyboard.press('o');
  expect((await byKey).url()).toBe(address);
  await page.keyboard.press('Enter');
  const inDetail = page.getByRole('complementary').getByRole('link', { name: 'Open in the Azure portal' });
  expect(await inDetail.getAttribute('href')).toBe(address);
  const without = await open(desktop, '?q=z-broken');
  expect(await without.locator('.portal-link').count()).toBe(0);
});

test('ages grow in rows that stay, so that a selected text stays selected', async () => {
  const page = await open(desktop);
  await page.clock.install();
  await page.reload();
  await page.getByText(/Live · 44 objects/).waitFor();
  const age = page.locator('.row .age').first();
  const before = await age.textContent();
  await page.evaluate("getSelection().selectAllChildren(document.querySelector('.row .name'))");
  // A later time alone ends no timer, as that of a silent connection.
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  await page.clock.fastForward(11_000);
  await eventually('the age is another one', async () => (await age.textContent()) !== before);
  expect(await page.evaluate('getSelection().toString()')).toContain('z-broken');
});
