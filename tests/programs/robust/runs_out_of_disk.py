# trace: unwritable
import resource

from small import train

soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
print(train())
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
