import { describeHanging } from '../programs/describe-hanging.ts'

describeHanging([
  ['none', 1, 130, /^$/],
  ['open-update', 2, 130, /^$/],
  ['open-update', 0, 0, /\nopen-update +defect +timed out /],
])
