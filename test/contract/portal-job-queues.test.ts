import { expect, test } from 'vitest';
import { createOrganisation } from '../../dist/store/access.js';
import { listAudit } from '../../dist/store/audit.js';
import { one } from '../../dist/store/unit.js';
import { describePortal } from './support/portal.js';
import { writeJob } from './support/portal-paths.js';

describePortal('job queues', (portal) => {
  const enterNew = async () => {
    const { store, enter } = portal();
    const orgId = await createOrganisation(store, 'Job Owners');
    return { orgId, visitor: await enter({ orgId, role: 'owner', name: 'Ada' }) };
  };

  test('the list → numbers of the queue, a row for each job, filters', async () => {
    const { store } = portal();
    const { orgId, visitor } = await enterNew();
    expect((await visitor.get('/job-queues')).text).toContain('No jobs yet');
    const [done, failed, running] = [
      await writeJob(store, orgId, 'completed'),
      await writeJob(store, orgId, 'failed'),
      await writeJob(store, orgId, 'processing'),
    ];
    const { text } = await visitor.get('/job-queues');
    expect(text).toContain('<dt>Running</dt><dd class="figure">1</dd>');
    expect(text).toContain('<dt>Done today</dt><dd class="figure">1</dd>');
    expect(text).toContain('<dt>Failed today</dt><dd class="figure">1</dd>');
    expect(text).toContain('2 of 3');
    const rowsOf = async (query: string) =>
      [...(await visitor.get(`/job-queues?${query}`)).text.matchAll(/<tr id="(job_\w+)"/g)]
        .map(([, row]) => row)
        .sort();
    expect(await rowsOf('')).toEqual([done, failed, running].sort());
    expect(await rowsOf('state=failed')).toEqual([failed]);
    expect(await rowsOf('code=INVALID_DOCUMENT')).toEqual([failed]);
    expect(await rowsOf('state=processing&function=TEXT_EXTRACTION')).toEqual([running]);
    expect(await rowsOf('function=FORM_FIELDS')).toEqual([]);
    expect(await rowsOf('to=2001-01-01T00:00')).toEqual([]);
    const [, request] =
      /href="\/portal(\/request-logs\/req_\w+)"/.exec((await visitor.get(`/job-queues/${done}`)).text) ?? [];
    expect((await visitor.get(request ?? '')).text).toContain(`href="/portal/job-queues/${done}"`);
    expect((await visitor.get('/job-queues?state=odd')).text).toContain('State is one of: queued');
  });

  test('a result → behind a button, noted in the audit log; not for support; gone when it is no longer kept', async () => {
    const { store, enter } = portal();
    const { orgId, visitor } = await enterNew();
    const id = await writeJob(store, orgId, 'completed');
    const page = await visitor.get(`/job-queues/${id}`);
    expect(page.text).toContain('Show the result');
    expect(page.text).not.toContain('planted text');
    expect((await visitor.post(`/job-queues/${id}/result`)).text).toContain('planted text');
    const [audited] = await listAudit(store, { organisationId: orgId, limit: 1 });
    expect(audited).toMatchObject({ who: 'Ada', action: 'job.result', subjectId: id });
    const support = await enter({ role: 'support', name: 'Sue' });
    const seen = (await support.get(`/job-queues/${id}?organisation=${orgId}`)).text;
    expect(seen).toContain(id);
    expect(seen).not.toMatch(/Show the result|SHA-256/);
    expect((await support.post(`/job-queues/${id}/result?organisation=${orgId}`)).status).toBe(403);
    const failed = await writeJob(store, orgId, 'failed');
    expect((await visitor.post(`/job-queues/${failed}/result`)).text).toContain('no longer kept');
    expect((await visitor.get(`/job-queues/${failed}`)).text).toContain('INVALID_DOCUMENT');
  });

  test('release by an operator → queued again, once; not for owners', async () => {
    const { store, enter } = portal();
    const { orgId, visitor } = await enterNew();
    const id = await writeJob(store, orgId, 'processing');
    const operator = await enter({ role: 'operator', name: 'Op' });
    const path = `/job-queues/${id}/release`;
    expect((await visitor.post(path)).status).toBe(403);
    expect((await operator.get(`${path}?organisation=${orgId}`)).text).toContain('begins anew');
    expect((await operator.post(`${path}?organisation=${orgId}`)).status).toBe(303);
    const sql = 'SELECT interruptions AS n FROM job WHERE id = :id';
    expect((await store.read(one<{ n: number }>(sql, { id })))?.n).toBe(1);
    const rows = await listAudit(store, { organisationId: orgId, limit: 5 });
    expect(rows.filter(({ action }) => action === 'job.release')).toHaveLength(1);
    const done = await writeJob(store, orgId, 'completed');
    await operator.post(`/job-queues/${done}/release?organisation=${orgId}`);
    const again = await listAudit(store, { organisationId: orgId, limit: 5 });
    expect(again.filter(({ subjectId }) => subjectId === done)).toHaveLength(0);
  });
});
