import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { Field } from '../../../../src/service/portal/components/fields.js';
import { type Frame, FrameContext, hrefOf } from '../../../../src/service/portal/components/frame.js';
import { Notice } from '../../../../src/service/portal/components/notice.js';
import { Question } from '../../../../src/service/portal/components/question.js';

const frame: Frame = {
  role: 'operator',
  name: 'Ada',
  organisation: { id: 'org_1', name: 'Alder' },
  isChosen: true,
  formToken: 'token',
  path: '/keys',
  pathOfAsset: (name) => name,
};
// biome-ignore lint/suspicious/noExplicitAny: any component
const render = (component: any, props: object, ...children: string[]) =>
  renderToString(h(FrameContext.Provider, { value: frame }, h(component, props, ...children)));

test('a question → what breaks, Cancel first, the form with its token and the organisation', () => {
  const html = render(
    Question,
    { title: 'Revoke this key?', to: '/keys/key_1/revoke', action: 'Revoke', back: '/keys' },
    'Used 3 minutes ago',
  );
  expect(html).toContain('data-question="Revoke this key?"');
  expect(html).toContain('action="/portal/keys/key_1/revoke?organisation=org_1"');
  expect(html).toContain('name="formToken" value="token"');
  expect(html).toMatch(/data-cancel[^>]*>Cancel<\/a><button class="button danger" type="submit">Revoke/);
});

test('texts of strangers in components → escaped', () => {
  const html = render(Notice, { tone: 'bad' }, '"><script>alert(1)</script>');
  expect(html).toContain('&quot;>&lt;script>');
});

test('links → keep a chosen organisation, leave empty values out', () => {
  expect(hrefOf(frame, '/keys', { state: 'active', before: '' })).toBe('/portal/keys?organisation=org_1&state=active');
  expect(hrefOf({ ...frame, isChosen: false }, '/keys')).toBe('/portal/keys');
});

test.each([
  ['2026-11-26T09:30', 'datetime-local'],
  ['2026-11-26T09:30:15', 'datetime-local'],
  ['2026-11-26T09:30:00Z', 'text'],
  ['oops', 'text'],
])('a field of a time with %j → %s, which keeps what was typed', (value, type) => {
  const html = render(Field, { name: 'from', label: 'From', value, attributes: { type: 'datetime-local' } });
  expect(html).toContain(`type="${type}"`);
  expect(html).toContain(`value="${value}"`);
});
