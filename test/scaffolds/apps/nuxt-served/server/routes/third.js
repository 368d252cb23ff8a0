export default defineEventHandler(() => $fetch('https://pay.example/charges/7'))
