import { expect, test } from 'vitest';
import { findOrganisation } from '../../dist/store/organisations.js';
import { describePages } from './support/portal-pages.js';

describePages('operator', (portal, { read }) => {
  const who = { role: 'operator' as const, name: 'Op' };

  test('create an organisation by keyboard, act for it, invite its owner → a banner on each page until all are chosen', async () => {
    const { page, complaints, go, close } = await read(who);
    await go('/operator');
    await page.getByRole('link', { name: 'Create organisation' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('Fir Lodge');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Fir Lodge' }).waitFor();
    await page.getByRole('link', { name: 'Act for it' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('You act for').waitFor();
    await page.getByRole('link', { name: 'Organisation', exact: true }).click();
    await page.getByRole('link', { name: 'Invite' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Eve');
    await page.getByLabel('Role').selectOption('owner');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Link created' }).waitFor();
    await page.getByRole('link', { name: 'All organisations' }).click();
    await page.getByRole('heading', { name: 'Operator' }).waitFor();
    expect(await page.getByText('You act for').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('without script → another plan and state; a plan is made and removed', async () => {
    const { store, alder } = portal();
    const { page, go, close } = await read(who, { hasScript: false });
    await go(`/operator/organisations/${alder}`);
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await page.getByLabel('Plan').selectOption('BUSINESS');
    await page.getByLabel('State').selectOption('suspended');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Alder Vale Library' }).waitFor();
    expect(await findOrganisation(store, alder)).toMatchObject({ plan: 'BUSINESS', subscription: 'suspended' });
    await go('/operator/plans/new');
    await page.getByLabel('Name', { exact: true }).fill('SHORT');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByLabel('Weight').fill('2');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Remove SHORT' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('link', { name: 'Change STARTER' }).waitFor();
    expect(await page.getByText('SHORT').count()).toBe(0);
    await close();
  });

  test('an organisation and a refused plan, at 320 px in the dark → no fault of accessibility', async () => {
    const { alder } = portal();
    const reader = await read(who, { width: 320, scheme: 'dark' });
    const { page } = reader;
    const faults = [
      ...(await reader.examine('/operator')),
      ...(await reader.examine(`/operator/organisations/${alder}`)),
    ];
    await reader.go('/operator/plans/STARTER');
    await page.getByRole('textbox', { name: 'Pages' }).fill('many');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    faults.push(...(await reader.examine()));
    expect(faults).toEqual([]);
    await reader.close();
  });
});
