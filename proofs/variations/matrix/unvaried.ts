/**
 * What the document leaves open, and no variation can show: by key of the gap, the reason. Other places of the document
 * are excluded in `spec/requirements.yaml`, each with a reason.
 *
 * @module
 */

export const unvaried: Readonly<Record<string, string>> = {
  storage: 'How records are stored shows in no response.',
  realtime: 'The interface has no operation by which a client is notified.',
  events: 'The interface has no operation that shows an event.',
  'tables.definition': 'Tables are made by the setup of a target, not over the interface.',
  'versioning.policy': 'There is one version, and its prefix is stated.',
}
