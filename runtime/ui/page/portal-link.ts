import { element } from './dom.ts';

/** A link that opens the portal in another tab, which learns nothing of this page. */
export function portalLink(href: string, text: string, label: string, tabindex?: number): HTMLAnchorElement {
  const rel = 'noopener noreferrer';
  return element('a', { class: 'portal-link', href, target: '_blank', rel, 'aria-label': label, tabindex }, text);
}
