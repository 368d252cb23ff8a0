import mockApi from 'unplugin-mock-api/vite'
