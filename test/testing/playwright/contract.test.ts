import { describeRouted } from './describe-routed.ts'

describeRouted('another origin', 'https://api.petstore.example')
