import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { type RunningUi, startLocalUi } from '../ui/support.ts';
import { type Cluster, startViewWorld } from '../view/world.ts';

export interface Opened {
  readonly page: Page;
  /** What the browser reported: errors of the page, and refusals of its policy. */
  readonly complaints: string[];
}

/** Starts Chromium. As root it needs --no-sandbox; the tests open this project's page only. */
export async function startBrowser(): Promise<Browser & { open(url: string, options?: object): Promise<Opened> }> {
  const executablePath = process.env['AZIMUTH_CHROMIUM'];
  if (!executablePath) throw new Error('AZIMUTH_CHROMIUM must name Chromium: run `npm run test:judges -- browser`');
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  const open = async (url: string, options: BrowserContextOptions = {}): Promise<Opened> => {
    const context = await browser.newContext({ viewport: { width: 1200, height: 700 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(url);
    return { page, complaints };
  };
  return Object.assign(browser, { open });
}

/** What `usePages` gives to the tests of a file. */
export interface Pages {
  readonly world: Cluster;
  readonly ui: RunningUi & { readonly token: string };
  readonly browser: Awaited<ReturnType<typeof startBrowser>>;
  /** Opens the page in a context of its own, which ends with the test. */
  open(search?: string, options?: object): Promise<Page>;
}

/**
 * A browser, and the page of a cluster that `fill` fills, for the tests of a file. After each test no page may have
 * complained.
 */
export function usePages(fill: (world: Cluster) => Promise<void>, portal?: string): Pages {
  let world: Cluster;
  let ui: Pages['ui'];
  let browser: Pages['browser'];
  const opened: Opened[] = [];
  beforeAll(async () => {
    world = await startViewWorld();
    await fill(world);
    ui = await startLocalUi(world.kubeconfig, undefined, portal);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await ui?.close();
    await world?.close();
  });
  afterEach(async () => {
    const complaints = opened.flatMap((each) => each.complaints);
    await Promise.all(opened.splice(0).map(({ page }) => page.context().close()));
    expect(complaints).toEqual([]);
  });
  return {
    get world() {
      return world;
    },
    get ui() {
      return ui;
    },
    get browser() {
      return browser;
    },
    async open(search = '', options = {}) {
      const found = await browser.open(`${ui.url}/${search}#token=${ui.token}`, options);
      opened.push(found);
      await found.page.getByRole('status').first().getByText('Live').waitFor();
      return found.page;
    },
  };
}
