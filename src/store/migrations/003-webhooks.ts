/**
 * Endpoints, deliveries and their attempts. Secrets are sealed with the key of the data directory. A finished job writes its
 * delivery in its own transaction. `next_attempt_at` is the time when a delivery is due, or the end of the lease while a sender
 * has it. `attempts` counts all attempts, `series_start` those before the present six: a resend starts six new ones.
 */
export const webhooks = `
CREATE TABLE webhook_endpoint (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until BIGINT,
  created_at BIGINT NOT NULL,
  removed_at BIGINT
);
CREATE INDEX webhook_endpoint_organisation ON webhook_endpoint (organisation_id, created_at);

CREATE TABLE webhook_delivery (
  id TEXT PRIMARY KEY,
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint (id),
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  event TEXT NOT NULL,
  request_id TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  series_start INTEGER NOT NULL,
  next_attempt_at BIGINT,
  token TEXT,
  created_at BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (endpoint_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_endpoint ON webhook_delivery (endpoint_id, created_at);
CREATE INDEX webhook_delivery_organisation ON webhook_delivery (organisation_id, created_at);
CREATE INDEX webhook_delivery_status ON webhook_delivery (status, created_at);
CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);

CREATE TABLE webhook_attempt (
  delivery_id TEXT NOT NULL REFERENCES webhook_delivery (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  started_at BIGINT NOT NULL,
  latency_ms BIGINT NOT NULL,
  status INTEGER,
  error TEXT,
  answer TEXT,
  PRIMARY KEY (delivery_id, number)
);
`;
