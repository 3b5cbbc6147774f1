import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

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
