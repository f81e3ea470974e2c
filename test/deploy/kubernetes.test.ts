import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { DRAIN_MS } from '../../src/server/shutdown.ts'

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a shape of its own, which its model checks
  readonly [part: string]: any
}

const manifests = parseAllDocuments(readFileSync('deploy/kubernetes/refrain.yml', 'utf8')).map(
  (document): Manifest => document.toJS(),
)
const the = (kind: string): Manifest => {
  const found = manifests.find((manifest) => manifest.kind === kind)
  if (found === undefined) throw new Error(`there is no ${kind}`)
  return found
}

/** The schema of a kind, as Kubernetes publishes it. */
const modelOf = ({ apiVersion, kind }: Manifest) =>
  createRequire(import.meta.url)(`kubernetes-models/${apiVersion}/${kind}`)[kind]

/** A value that tells what of it was looked at: whatever its model does not know stays in `unread`. */
const followed = (value: unknown, path: string, unread: Set<string>): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const parts = new Map(
    Object.entries(value).map(([key, part]) => {
      unread.add(`${path}.${key}`)
      return [key, followed(part, `${path}.${key}`, unread)]
    }),
  )
  return new Proxy(value, {
    get(target, key) {
      unread.delete(`${path}.${String(key)}`)
      return parts.get(String(key)) ?? Reflect.get(target, key)
    },
  })
}

const faultsOf = ({ apiVersion, kind, ...rest }: Manifest): string[] => {
  const Model = modelOf({ apiVersion, kind, ...rest })
  const unread = new Set<string>()
  const parts = Object.entries(rest).map(([key, part]) => [key, followed(part, key, unread)])
  // It reads all of what it is made of: what it checks is put in its place behind its back.
  Object.assign(new Model(rest), Object.fromEntries(parts)).validate()
  return [...unread]
}

test.each(manifests.map((manifest) => [manifest.kind, manifest] as const))(
  '%s is what Kubernetes takes, and nothing unknown is in it',
  (_, manifest) => {
    expect(faultsOf(manifest)).toEqual([])
  },
)

test('the check sees a word that is none, and a value of another kind', () => {
  const deployment = the('Deployment')
  const { spec } = deployment
  expect(faultsOf({ ...deployment, spec: { ...spec, stratagem: {} } })).toEqual(['spec.stratagem'])
  expect(() => faultsOf({ ...deployment, spec: { ...spec, paused: 'no' } })).toThrow(/paused/)
})

test('probes, limits, rights and the time to leave are said', () => {
  const { template } = the('Deployment').spec
  const [container] = template.spec.containers
  expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'operator' })
  expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'operator' })
  expect(Object.keys(container.resources)).toEqual(['requests', 'limits'])
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
  // 20 seconds of answers, and the save of a token, follow the time to notice.
  expect(template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(DRAIN_MS + 20_000)
  expect(template.metadata.annotations['prometheus.io/path']).toBe('/metrics')
})

test('all select the same pods, and no more of them are started than share the budget', () => {
  const { matchLabels } = the('Deployment').spec.selector
  expect(the('Service').spec.selector).toEqual(matchLabels)
  expect(the('PodDisruptionBudget').spec.selector.matchLabels).toEqual(matchLabels)
  expect(the('NetworkPolicy').spec.podSelector.matchLabels).toEqual(matchLabels)
  const { scaleTargetRef, maxReplicas, minReplicas } = the('HorizontalPodAutoscaler').spec
  expect(scaleTargetRef.name).toBe(the('Deployment').metadata.name)
  expect(minReplicas).toBeGreaterThan(the('PodDisruptionBudget').spec.minAvailable)
  expect(Number(the('ConfigMap').data.REPLICAS_MAX)).toBe(maxReplicas)
})

test('the settings of the config map are settings', () => {
  const reading = readConfig({ ...the('ConfigMap').data, UPSTREAM_REFRESH_TOKEN: 'seed' }, () => '')
  expect(reading).toMatchObject({ ok: true })
})
