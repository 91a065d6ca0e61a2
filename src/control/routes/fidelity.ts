import { type ControlRoute, defineControlRoute } from './define-control-route.ts'

/** The same for every sandbox. */
export const getFidelity: ControlRoute<'getFidelity'> = defineControlRoute('getFidelity', ({ fidelity }) => ({
  status: 200,
  body: { rules: fidelity?.rules ?? [] },
}))
