import { Page } from './page.ts';
import { Session } from './session.ts';

const page = new Page();
new Session(page).start();
