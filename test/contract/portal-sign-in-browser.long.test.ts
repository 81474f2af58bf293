import { afterAll, expect, test } from 'vitest';
import { createOrganisation } from '../../dist/store/access.js';
import { startSignInProvider } from '../support/sign-in-provider.js';
import { describePages } from './support/portal-pages.js';

const provider = await startSignInProvider('/portal/sign-in/callback');
afterAll(() => provider.close());

describePages(
  'sign-in by a provider',
  (portal, { open }) => {
    const invite = async () => {
      const org = await createOrganisation(portal().store, 'Cedar Records');
      return await portal().link({ orgId: org, role: 'member', name: 'Bob' });
    };
    const ownOf = (complaints: readonly string[]) => complaints.filter((each) => !each.startsWith(provider.issuer));

    test.each([true, false])(
      'script: %s → to the provider, back, the code of the invitation; then the button alone',
      async (hasScript) => {
        const token = await invite();
        provider.account = { id: `bob-${token}`, email: 'bob@acme.example' };
        const { page, complaints, go, close } = await open({ hasScript });
        await go('/enter');
        await page.getByRole('link', { name: 'Sign in with Acme' }).focus();
        await page.keyboard.press('Enter');
        await page.getByText('bob@acme.example').waitFor();
        await page.getByLabel('Code').fill(token);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Overview' }).waitFor();
        await page.getByRole('button', { name: 'Log out' }).click();
        await page.getByRole('link', { name: 'Sign in with Acme' }).click();
        await page.getByRole('heading', { name: 'Overview' }).waitFor();
        expect(ownOf(complaints)).toEqual([]);
        await close();
      },
    );

    test('the steps at 320 px in the dark → no fault of accessibility', async () => {
      const token = await invite();
      provider.account = { id: `eve-${token}`, email: `${'long'.repeat(40)}@acme.example` };
      const reader = await open({ width: 320, scheme: 'dark' });
      const { page } = reader;
      const faults = await reader.examine('/enter');
      await page.getByRole('link', { name: 'Sign in with Acme' }).click();
      await page.getByLabel('Code').waitFor();
      faults.push(...(await reader.examine()));
      await page.getByLabel('Code').fill(token);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      faults.push(...(await reader.examine('/organisation')));
      await reader.go('/sign-in?for=connect');
      await page.getByRole('heading', { name: 'Connect this account?' }).waitFor();
      faults.push(...(await reader.examine()));
      await reader.go('/sign-in/callback?state=x');
      await page.getByRole('heading', { name: 'This sign-in has ended' }).waitFor();
      faults.push(...(await reader.examine()));
      expect([...faults, ...ownOf(reader.complaints).filter((each) => !each.includes('403'))]).toEqual([]);
      await reader.close();
    });
  },
  {
    portalOidcIssuer: provider.issuer,
    portalOidcClientId: provider.clientId,
    portalOidcClientSecret: provider.clientSecret,
    portalOidcName: 'Acme',
  },
);
