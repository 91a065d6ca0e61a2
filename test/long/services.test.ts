import { describeServices } from '../check/describe-services.ts'
import { SERVICES } from '../check/services/services.ts'

describeServices(SERVICES)
