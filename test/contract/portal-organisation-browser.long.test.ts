import { expect, test } from 'vitest';
import { createOrganisation } from '../../dist/store/access.js';
import { readMemberCalled } from '../../dist/store/members.js';
import { describePages, HOSTILE } from './support/portal-pages.js';

describePages('organisation', (portal, { open, read }) => {
  /** An organisation of its own with an owner called Ada. */
  const begin = async (view?: Parameters<typeof read>[1]) => {
    const { store } = portal();
    const org = await createOrganisation(store, 'Cedar Records');
    return { store, org, reader: await read({ orgId: org, role: 'owner', name: 'Ada' }, view) };
  };

  test('invite by keyboard → a link, with which another browser enters as a member', async () => {
    const { reader } = await begin();
    const { page, complaints } = reader;
    await reader.go('/organisation');
    await page.getByRole('link', { name: 'Invite' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type(HOSTILE);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Link created' }).waitFor();
    const link = (await page.locator('pre').textContent()) ?? '';
    const guest = await open();
    await guest.page.goto(link);
    await guest.page.getByRole('button', { name: 'Enter' }).click();
    await guest.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await guest.page.getByRole('link', { name: 'Organisation' }).click();
    await guest.page.getByRole('heading', { name: 'Your sessions' }).waitFor();
    expect(await guest.page.getByRole('link', { name: 'Invite' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByText(HOSTILE).first().waitFor();
    expect([...complaints, ...guest.complaints]).toEqual([]);
    await guest.close();
    await reader.close();
  });

  test('another role → asked in a dialog; the member’s next page has what an owner may do', async () => {
    const { reader, org } = await begin();
    const { page, complaints } = reader;
    const bob = await read({ orgId: org, role: 'member', name: 'Bob' });
    await reader.go('/organisation');
    await page.getByRole('link', { name: 'Make Bob an owner' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Make this person an owner?' });
    await dialog.waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Make Bob a member' }).waitFor();
    await bob.go('/organisation');
    await bob.page.getByRole('link', { name: 'Invite' }).waitFor();
    await bob.go('/organisation');
    await bob.page.getByRole('link', { name: 'Invite' }).waitFor();
    expect([...complaints, ...bob.complaints]).toEqual([]);
    await bob.close();
    await reader.close();
  });

  test('without script → invite, revoke, remove, end a session, filter the audit log', async () => {
    const { store, org, reader } = await begin({ hasScript: false });
    const { page } = reader;
    await read({ orgId: org, role: 'member', name: 'Bob' });
    await reader.go('/organisation/invite');
    await page.getByLabel('Name', { exact: true }).fill('Cy');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Revoke the link for Cy' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'End the session of Bob' }).click();
    await page.getByRole('link', { name: 'Remove Bob' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Organisation' }).waitFor();
    expect(await store.read(readMemberCalled(org, 'Bob'))).toBeUndefined();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Action').selectOption('member.remove');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('link', { name: 'Remove filter Action: member.remove' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await reader.close();
  });

  test('the last owner, and an invitation that is refused, at 320 px in the dark → no fault of accessibility', async () => {
    const { store, org, reader } = await begin({ width: 320, scheme: 'dark' });
    const { page } = reader;
    const member = await store.read(readMemberCalled(org, 'Ada'));
    const faults = await reader.examine(`/organisation/members/${member?.id}/remove`);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'The last owner stays' }).waitFor();
    faults.push(...(await reader.examine()));
    await reader.go('/organisation/invite');
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
    faults.push(...(await reader.examine()), ...(await reader.examine('/organisation')));
    expect(faults).toEqual([]);
    await reader.close();
  });
});
