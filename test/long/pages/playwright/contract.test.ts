import { describeRouted } from '../../../testing/playwright/describe-routed.ts'

describeRouted('the page’s own origin')
