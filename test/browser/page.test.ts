import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../fakes/eventually.ts';
import { account, group, notReady, object } from '../view/support.ts';
import { accounts, bindings, core, groups, identities } from '../view/world.ts';
import { usePages } from './support.ts';

const hostile = `<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>`;

const pages = usePages(async (world) => {
  await world.put(groups, group('demo'));
  await world.put(groups, group('slow', notReady('Reconciling', 'Info', 'Azure is working on the resource')));
  await world.put(accounts, account('photos', 'demo'));
  await world.put(accounts, account('films', 'slow', notReady('WaitingForOwner', 'Warning', 'The owner is not ready')));
  await world.put(accounts, account('broken', 'demo', notReady(hostile, 'Error', `${hostile}\u202eolleh`)));
  await world.put(identities, object('', 'AzureIdentity', 'id', { spec: { type: 0 } }));
  await world.put(bindings, object('', 'AzureIdentityBinding', 'bound', { spec: { azureIdentity: 'id' } }));
  const { metadata } = await world.client.get(accounts, { namespace: 'demo', name: 'films' });
  const involvedObject = { kind: 'StorageAccount', namespace: 'demo', name: 'films', uid: metadata.uid };
  const event = { involvedObject, reason: 'BeginCreateOrUpdate', message: 'a PUT was sent', type: 'Normal' };
  await world.put(core('events', 'Event'), { ...object('', 'Event', 'films.1'), ...event });
});

const open = pages.open;
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const heading = (page: Page) => page.getByRole('complementary').getByRole('heading', { level: 2 });
const focused = (page: Page) => page.evaluate<string>("document.activeElement?.textContent ?? ''");
// Code for the page is text here: the tests are compiled without the names of a browser.
const roleOfFocus = (page: Page) => page.evaluate<string | null>("document.activeElement?.getAttribute('role')");

test('the keyboard alone finds an object, opens it, follows what it waits for, and goes back', async () => {
  const page = await open();
  await page.keyboard.press('/');
  await page.keyboard.type('storage films');
  await eventually('one row is left', async () => (await page.locator('.row').count()) === 1);
  for (let presses = 0; presses < 20; presses++) {
    if ((await roleOfFocus(page)) === 'grid') break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await eventually('the detail has the focus', async () => (await focused(page)) === 'StorageAccount/films');
  const detail = page.getByRole('complementary');
  await detail.getByText('a PUT was sent').waitFor();
  expect(await detail.textContent()).toMatch(/Waits forResourceGroup\/slow is not ready/);
  for (let presses = 0; presses < 5; presses++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === 'ResourceGroup/slow') break;
  }
  await page.keyboard.press('Enter');
  await eventually('the link leads there', async () => (await focused(page)) === 'ResourceGroup/slow');
  await page.keyboard.press('Escape');
  await detail.waitFor({ state: 'hidden' });
  expect(await roleOfFocus(page)).toBe('grid');
});

test('filters are in the address, and the address alone shows the same', async () => {
  const page = await open();
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('StorageAccount');
  await page.getByRole('button', { name: /Failed 1/ }).click();
  await row(page, 'broken').waitFor();
  expect(await page.locator('.row').count()).toBe(1);
  expect(new URL(page.url()).search).toBe('?kind=StorageAccount&state=Failed');
  expect(page.url()).not.toContain(pages.ui.token);
  await page.reload();
  await row(page, 'broken').waitFor();
  expect(await page.locator('.row').count()).toBe(1);
  await page.goBack();
  await row(page, 'photos').waitFor();
});

test('a node of the graph leads to its detail, with the mouse and with the keyboard', async () => {
  const page = await open('?view=graph&kind=StorageAccount');
  await page.getByRole('button', { name: 'StorageAccount films, Blocked' }).click();
  await heading(page).getByText('StorageAccount/films').waitFor();
  const node = page.getByRole('button', { name: 'ResourceGroup demo, Ready' });
  await node.focus();
  await page.keyboard.press('ArrowRight');
  const label = () => page.evaluate<string>("document.activeElement?.getAttribute('aria-label') ?? ''");
  expect(await label()).toMatch(/^StorageAccount (photos|broken), /);
  const name = (await label()).split(/[ ,]/)[1];
  await page.keyboard.press('Enter');
  await heading(page).getByText(`StorageAccount/${name}`).waitFor();
});

test('the selected node of the graph is in sight beside its detail', async () => {
  const page = await open('?view=graph&q=films', { viewport: { width: 800, height: 300 } });
  await page.getByRole('button', { name: 'StorageAccount films, Blocked' }).click();
  await heading(page).getByText('StorageAccount/films').waitFor();
  const graph = await page.locator('#graph .scroll').boundingBox();
  const inSight = async () => {
    const node = await page.locator('.node[aria-current]').boundingBox();
    return node !== null && graph !== null && node.x >= graph.x && node.x < graph.x + graph.width;
  };
  await eventually('the node is in sight', inSight, 10_000);
});

test('without the token of the address the page says where it is, and shows nothing', async () => {
  const { page } = await pages.browser.open(`${pages.ui.url}/`);
  await page.getByRole('dialog').getByText('Open the address that `azimuth ui` printed').waitFor();
  expect(await page.locator('.row').count()).toBe(0);
  await page.context().close();
});

test('a change in the cluster appears without a click, in list, graph and detail', async () => {
  await pages.world.put(groups, group('alive', notReady('Reconciling', 'Info')));
  const page = await open('?q=alive');
  await row(page, '↻ Reconciling').waitFor();
  await row(page, 'alive').click();
  const graph = await open('?view=graph&q=alive');
  await graph.getByRole('button', { name: 'ResourceGroup alive, Reconciling' }).waitFor();
  await pages.world.setStatus(groups, 'demo', 'alive', notReady('Conflict', 'Error', 'somebody else has it'));
  await row(page, '✗ Failed').waitFor();
  await page.getByRole('complementary').getByText('Ready: False').waitFor();
  await page.getByRole('complementary').getByText('somebody else has it').waitFor();
  await graph.getByRole('button', { name: 'ResourceGroup alive, Failed' }).waitFor();
  await pages.world.client.delete(groups, { namespace: 'demo', name: 'alive' });
  await page.getByText('No object passes the filters').waitFor();
});

test('without colours each state is a word and a sign, in list and graph', async () => {
  const page = await open('?namespace=demo', { forcedColors: 'active' });
  const words = async (selector: string) => (await page.locator(selector).allTextContents()).sort();
  await row(page, 'photos').waitFor();
  const states = ['? Unknown', '? Unknown', '‖ Blocked', '↻ Reconciling', '✓ Ready', '✓ Ready', '✗ Failed'];
  expect(await words('.row .state')).toEqual([...states].sort());
  await page.getByRole('button', { name: 'Graph' }).click();
  await page.getByRole('button', { name: 'StorageAccount films, Blocked' }).waitFor();
  expect(await words('.node .state')).toEqual([...states].sort());
});

test('the list says why an object is not ready, without a click', async () => {
  const page = await open();
  const cell = row(page, 'films').locator('.reason');
  expect(await cell.textContent()).toBe('WaitingForOwner The owner is not ready');
  expect(await cell.isVisible()).toBe(true);
});

test('filters that leave nothing can be cleared where the list is empty', async () => {
  const page = await open('?q=nothing-has-this-name&kind=StorageAccount');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await row(page, 'photos').waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('on a small screen the detail takes the place of the list, and closing it brings the list back', async () => {
  const page = await open('', { viewport: { width: 390, height: 740 } });
  await row(page, 'films').click();
  const detail = page.getByRole('complementary');
  await detail.getByText('a PUT was sent').waitFor();
  expect((await detail.boundingBox())?.width).toBe(390);
  expect(await page.locator('#list').isVisible()).toBe(false);
  await detail.getByRole('button', { name: 'Close' }).click();
  await row(page, 'films').waitFor();
  for (const part of ['.state', '.kind', '.name', '.age', '.reason']) {
    expect(await row(page, 'films').locator(part).isVisible()).toBe(true);
  }
});

test('markup in a name or message is text, and nothing of it runs', async () => {
  const page = await open('?q=broken');
  await row(page, 'broken').click();
  const detail = page.getByRole('complementary');
  await detail.getByText(hostile).first().waitFor();
  expect(await detail.textContent()).toContain(`${hostile}\\u202eolleh`);
  await page.getByRole('button', { name: 'Show in the graph' }).click();
  await page.getByRole('button', { name: 'StorageAccount broken, Failed' }).waitFor();
  expect(await page.evaluate('globalThis.ran')).toBeUndefined();
  expect(await page.locator('main img, main script').count()).toBe(0);
});

test('markup that reaches the page in spite of all does not run: the policy forbids it', async () => {
  const { page, complaints } = await pages.browser.open(`${pages.ui.url}/`);
  const tried = await page.evaluate(`(async () => {
    const image = document.createElement('img');
    const script = document.createElement('script');
    const throws = (run) => {
      try {
        run();
        return false;
      } catch {
        return true;
      }
    };
    const result = {
      handler: throws(() => image.setAttribute('onerror', 'globalThis.ran = 1')),
      script: throws(() => { script.text = 'globalThis.ran = 1'; }),
      html: throws(() => { document.body.innerHTML = '<b>x</b>'; }),
      policy: throws(() => trustedTypes.createPolicy('x', {})),
    };
    image.src = 'data:,x';
    document.body.append(image);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { ...result, ran: globalThis.ran };
  })()`);
  expect(tried).toEqual({ handler: true, script: true, html: true, policy: true });
  expect(complaints.join()).toMatch(/Content Security Policy/);
  await page.context().close();
});
