import { createResponse } from '../../http/wire-response.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'

/** Prometheus metrics: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const getMetrics: ControlRoute<'getMetrics'> = defineControlRoute('getMetrics', ({ sandboxes, metrics }) =>
  createResponse(
    200,
    metrics.write({
      sandboxes: { help: 'Sandboxes, without the default one.', value: sandboxes.size },
      pets: { help: 'Pets in the default sandbox.', value: sandboxes.default.state.size },
    }),
    { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  ),
)
