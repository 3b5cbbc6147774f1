import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../fakes/eventually.ts';
import { account, group, notReady } from '../view/support.ts';
import { accounts, groups } from '../view/world.ts';
import { usePages } from './support.ts';

const long = 'a-name-with-very-many-wide-characters-mmmmmmmmmmmmmmmmmmmm-westeurope';

const pages = usePages(async (world) => {
  for (let index = 0; index < 40; index++) await world.put(groups, group(`group-${index}`));
  await world.put(groups, group(long));
  await world.put(accounts, account('failed', long, notReady('Conflict', 'Error', 'Somebody else has it')));
  await world.put(accounts, account('blocked', long, notReady('WaitingForOwner', 'Warning')));
  await world.put(accounts, account('working', long, notReady('Reconciling', 'Info')));
});

const phone = { width: 390, height: 844 };

async function open(search = '', options: object = { viewport: phone }): Promise<Page> {
  const page = await pages.open(search, options);
  await page.getByText(/Live · (\d+ of )?44 objects/).waitFor();
  return page;
}
const headerHeight = async (page: Page) => (await page.locator('header').boundingBox())?.height ?? 0;
const pageWidth = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');

test.each([phone, { width: 390, height: 667 }, { width: 844, height: 390 }])(
  'the header takes less than a fifth of a phone of %j, in list and graph, and nothing is wider than the phone',
  async (viewport) => {
    for (const search of ['', '?view=graph', '?kind=StorageAccount&state=Failed']) {
      const page = await open(search, { viewport });
      expect(await headerHeight(page)).toBeLessThan(viewport.height / 5);
      expect(await pageWidth(page)).toBe(viewport.width);
    }
  },
);

test('on a phone the filters open on demand, and their button says how many are set', async () => {
  const page = await open();
  const kind = page.getByRole('combobox', { name: 'Kind' });
  const button = page.getByRole('button', { name: 'Filters' });
  expect([await kind.isVisible(), await button.getAttribute('aria-expanded')]).toEqual([false, 'false']);
  await button.click();
  await kind.selectOption('StorageAccount');
  await eventually('one is counted', async () => (await button.textContent()) === 'Filters (1)');
  expect(await pageWidth(page)).toBe(phone.width);
  await button.click();
  await kind.waitFor({ state: 'hidden' });
  const wide = await open('', { viewport: { width: 1440, height: 900 } });
  expect(await wide.getByRole('combobox', { name: 'Kind' }).isVisible()).toBe(true);
  expect(await wide.getByRole('button', { name: 'Filters' }).isVisible()).toBe(false);
});

test('on a phone rows are large enough for a finger, and the list keeps its place behind a detail', async () => {
  const page = await open();
  expect((await page.locator('.row').first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await page.getByRole('grid').focus();
  await page.keyboard.press('End');
  const last = page.locator('.row').last();
  await last.click();
  await page.getByRole('complementary').waitFor();
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
  await last.waitFor();
  expect(await page.evaluate("document.querySelector('#list .scroll').scrollTop")).toBeGreaterThan(500);
});

test.each([phone, { width: 1440, height: 900 }])(
  'in a list of %j each state and header fits its column',
  async (viewport) => {
    const page = await open('', { viewport });
    await page.locator('.row .state.Reconciling, .row.Reconciling .state').first().waitFor();
    const cut = `[...document.querySelectorAll('.row > .state, .columns > *')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth && cell.checkVisibility())
    .map((cell) => cell.textContent)`;
    expect(await page.evaluate<string[]>(cut)).toEqual([]);
    await page.locator('.row').first().click();
    await page.getByRole('complementary').waitFor();
    expect(await page.evaluate<string[]>(cut)).toEqual([]);
  },
);

test.each([phone, { width: 1440, height: 900 }])('in a graph of %j each text fits its node', async (viewport) => {
  const page = await open('?view=graph', { viewport });
  await page.locator('.node').first().waitFor();
  const overflows = await page.evaluate<string[]>(`[...document.querySelectorAll('.node')].flatMap((node) => {
    const width = node.querySelector('rect').getBBox().width;
    return [...node.querySelectorAll('text')]
      .filter((text) => text.getBBox().x + text.getBBox().width > width)
      .map((text) => text.textContent);
  })`);
  expect(overflows).toEqual([]);
  const name = await page.locator('.node').filter({ hasText: long }).locator('.name').first().textContent();
  expect(name).toMatch(/^a-name.*….*europe$/);
});

test('on a phone a graph shows an owner and what it owns beside each other', async () => {
  const page = await open('?view=graph&kind=StorageAccount');
  await page.getByRole('button', { name: 'StorageAccount failed, Failed' }).waitFor();
  for (const node of await page.locator('.node').all()) {
    const box = await node.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(phone.width);
  }
});

/** The contrast of each text with what is behind it, as WCAG computes it. */
const contrasts = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const canvas = document.createElement('p');
  canvas.style.backgroundColor = 'Canvas';
  document.body.append(canvas);
  const bottom = getComputedStyle(canvas).backgroundColor;
  canvas.remove();
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = rgb(getComputedStyle(each).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return rgb(bottom);
  };
  const texts = [...document.querySelectorAll('body *')].filter((element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('svg') &&
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''));
  return texts.map((element) => {
    const [a, b] = [luminance(rgb(getComputedStyle(element).color)), luminance(behind(element))];
    return { text: element.textContent.slice(0, 40), ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
  });
})()`;

test.each(['light', 'dark'] as const)(
  'with %s colours each text has a contrast of 4.5 at least',
  async (colorScheme) => {
    const page = await open('', { viewport: { width: 1440, height: 900 }, colorScheme });
    await page.locator('.row').first().click();
    await page.getByRole('complementary').getByText('Ready: False').waitFor();
    const all = await page.evaluate<{ text: string; ratio: number }[]>(contrasts);
    expect(all.length).toBeGreaterThan(60);
    expect(all.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
    const background = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('.columns')).backgroundColor`,
    );
    expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(18, 18, 18)');
  },
);

test('nothing on the page moves by itself', async () => {
  const page = await open('', { viewport: phone, reducedMotion: 'reduce' });
  const moving = `[...document.querySelectorAll('*')].filter((element) => {
    const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
    return transitionDuration !== '0s' || animationName !== 'none' || scrollBehavior !== 'auto';
  }).map(({ tagName, id }) => tagName + id)`;
  expect(await page.evaluate<string[]>(moving)).toEqual([]);
});
